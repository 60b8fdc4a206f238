/** Colours, dashes and patterns of seats and of sources of points: every colour has a second cue. */

/** The number of seats that have their own colour. */
export const SEAT_COUNT = 6;

/** The colour of a seat: `--seat-0` to `--seat-5`, which a game may set itself. */
export const seatColour = (seat: number): string => `var(--seat-${seat % SEAT_COUNT})`;

/** The style of an element whose content uses `--seat`. */
export const seatStyle = (seat: number | null): string => (seat === null ? '' : `--seat: ${seatColour(seat)}`);

/** The style of a table whose game has its own seat colours. */
export const seatColours = (colours: readonly string[] | undefined): string =>
  (colours ?? []).map((colour, seat) => `--seat-${seat}: ${colour}`).join('; ');

/** The dashes of the seats' lines in charts. */
export const SEAT_DASHES = ['', '7 4', '2 4', '10 3 2 3', '4 2', '1 5'] as const;

/** Patterns for sources of points, drawn in `--mark` over the colour of the player. */
export const PATTERNS: readonly string[] = [
  'none',
  'repeating-linear-gradient(45deg, var(--mark) 0 2px, transparent 2px 8px)',
  'radial-gradient(var(--mark) 1.6px, transparent 2px) 0 0 / 8px 8px',
  'repeating-linear-gradient(0deg, var(--mark) 0 1.5px, transparent 1.5px 6px)',
  'repeating-linear-gradient(-45deg, var(--mark) 0 3.5px, transparent 3.5px 10px)',
  'repeating-linear-gradient(90deg, var(--mark) 0 1.5px, transparent 1.5px 6px)',
  'repeating-linear-gradient(45deg, var(--mark) 0 1.2px, transparent 1.2px 6px), repeating-linear-gradient(-45deg, var(--mark) 0 1.2px, transparent 1.2px 6px)',
  'radial-gradient(circle, transparent 2.4px, var(--mark) 2.6px 3.6px, transparent 3.8px) 0 0 / 11px 11px',
  'repeating-linear-gradient(0deg, var(--mark) 0 1px, transparent 1px 5px), repeating-linear-gradient(90deg, var(--mark) 0 1px, transparent 1px 5px)',
  'linear-gradient(135deg, var(--mark) 25%, transparent 25% 50%, var(--mark) 50% 75%, transparent 75%) 0 0 / 9px 9px',
];

/** The share of the player's colour in a part of a bar, in percent: neighbours differ. */
export const strengthOf = (source: number): number => [92, 46, 70, 30][source % 4] ?? 70;
