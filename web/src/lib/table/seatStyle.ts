/** How seats and sources of points are told apart: every colour has a second cue. */

/** The most seats that have a colour of their own. */
export const SEAT_COUNT = 6;

/** The colour of a seat wherever the page speaks of a player: `--seat-0` to `--seat-5`, which a game may set itself. */
export const seatColour = (seat: number): string => `var(--seat-${seat % SEAT_COUNT})`;

/** The same as style of an element: what is inside uses `--seat`. */
export const seatStyle = (seat: number | null): string => (seat === null ? '' : `--seat: ${seatColour(seat)}`);

/** A game's own colours for its seats, as style of the table. */
export const seatColours = (colours: readonly string[] | undefined): string =>
  (colours ?? []).map((colour, seat) => `--seat-${seat}: ${colour}`).join('; ');

/** Lines in charts are dashed differently. */
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

/** How much of the player's colour is in the part of a bar: neighbours differ in this too. */
export const strengthOf = (source: number): number => [92, 46, 70, 30][source % 4] ?? 70;
