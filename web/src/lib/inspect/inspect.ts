/** Cards and tiles that can be read large, and the catalogue of all of them. */
import type { Entry, Preview, ScoreLine } from '../api/types';
import type { MoveOption } from '../board/selection';
import { placeKey } from '../board/geometry';
import { withoutUndone } from '../log';
import { capitalize, displayText, seatName } from '../text';

/** One reason for the points of a card where it is now. */
export interface DetailLine {
  points: number;
  why: string;
  /** The spaces that bring the points, to be highlighted. */
  places: string[];
  /** It is not part of the total: it counts later, or may still go to another seat. */
  later?: boolean | undefined;
}

/** One of several cards that are read together, such as a pup of a group. */
export interface DetailPart {
  card: string;
  title: string;
  text: string;
}

/** One card or tile, read large. */
export interface CardDetail {
  /** Its id for `GameBoard.Picture`, the same in the catalogue and on the board. */
  card: string;
  title: string;
  /** What kind of thing it is, in a few words: "Fish", "Husky, number 47". */
  kind: string;
  /** Its full text, a paragraph each. */
  text: string[];
  /** What it scores where it is now; empty in the catalogue. */
  lines: DetailLine[];
  /** The sum of what it scores where it is now; null where nothing scores (store, park, hand, catalogue). */
  total: number | null;
  /** The heading above the lines; "Here now" if left out. */
  heading?: string | undefined;
  /** The cards that lie together here. */
  parts?: DetailPart[] | undefined;
  /** How many there are in the box, in words. */
  count?: string | undefined;
  /** A remark, such as that a value is reconstructed. */
  note?: string | undefined;
}

/** A part of the catalogue, such as all fish. */
export interface CatalogueGroup {
  title: string;
  cards: CardDetail[];
}

/** What the table shows besides the view: the ghost and its preview, and the log. */
export interface InspectContext {
  ghost: MoveOption | null;
  preview: Preview | null;
  entries: readonly Entry[];
}

/** Elements that stand for a card, and spaces of the board, match this selector. */
export const INSPECTABLE = '[data-inspect], [data-space]';

export const inspectable = (target: EventTarget | null): HTMLElement | SVGElement | null =>
  target instanceof Element ? target.closest<HTMLElement | SVGElement>(INSPECTABLE) : null;

export const keyOf = (element: Element): string =>
  element.getAttribute('data-inspect') ?? element.getAttribute('data-space') ?? '';

/** All spaces of a card's lines. */
export const placesOf = (detail: CardDetail | null): string[] => [
  ...new Set(detail?.lines.flatMap((line) => line.places) ?? []),
];

const linesOf = (
  lines: readonly ScoreLine[],
  names: readonly string[],
  say: (line: ScoreLine) => string,
): DetailLine[] =>
  lines.map((line) => ({
    points: line.points,
    why: capitalize(displayText(say(line), names)),
    places: line.where.map(placeKey),
  }));
const defaultLineText = (line: ScoreLine): string => line.why || line.rule;
const sum = (lines: readonly DetailLine[]): number => lines.reduce((points, line) => points + line.points, 0);

/** What the ghost would score for this seat, from the server's preview. */
export function previewScore(
  context: InspectContext,
  seat: number | null,
  names: readonly string[],
  say: (line: ScoreLine) => string = defaultLineText,
): Pick<CardDetail, 'lines' | 'total' | 'heading'> {
  const lines = linesOf(context.preview?.lines.filter((line) => line.seat === seat) ?? [], names, say);
  return { lines, total: lines.length ? sum(lines) : null, heading: 'If you play it here' };
}

/** What the piece on a space scored when it was placed, from the log; nothing if it came there otherwise. */
export function placedScore(
  context: InspectContext | undefined,
  key: string,
  names: readonly string[],
  say: (line: ScoreLine) => string = defaultLineText,
): Pick<CardDetail, 'lines' | 'total' | 'heading'> {
  const events = withoutUndone(context?.entries ?? []).flatMap((entry) => entry.events);
  const last = events.findLast((event) =>
    [event.data['at'], event.data['to']].some((place) => Array.isArray(place) && placeKey(place) === key),
  );
  const placed = last && placeKey(last.data['at']) === key ? last : null;
  const lines = linesOf(placed?.lines.filter((line) => line.seat === placed.seat) ?? [], names, say);
  if (!placed || !lines.length) return { lines: [], total: null };
  return { lines, total: sum(lines), heading: `When ${seatName(names, placed.seat)} laid it` };
}

/** The cards whose title, kind or text contains all these words. */
export function searchCatalogue(groups: readonly CatalogueGroup[], words: string): CatalogueGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (card: CardDetail) => {
    const text = [
      card.title,
      card.kind,
      ...card.text,
      ...(card.parts ?? []).map((part) => `${part.title} ${part.text}`),
    ]
      .join(' ')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, cards: group.cards.filter(has) }))
    .filter((group) => group.cards.length > 0);
}
