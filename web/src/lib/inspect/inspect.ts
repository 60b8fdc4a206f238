/** A card or tile that can be read closely, wherever it lies, and the encyclopaedia of all of them. */
import type { Entry, Preview, ScoreLine } from '../api/types';
import type { MoveOption } from '../board/selection';
import { placeKey } from '../board/geometry';
import { withoutUndone } from '../log';
import { capitalize, displayText } from '../text';

/** Why a card scores what it scores here now. */
export interface DetailLine {
  points: number;
  why: string;
  /** Keys of the spaces that bring the points, to be lit up. */
  places: string[];
  /** It counts later, or for somebody who may still change: it is no part of the total. */
  later?: boolean | undefined;
}

/** A card among others that are read together, such as a pup of a group. */
export interface DetailPart {
  card: string;
  title: string;
  text: string;
}

/** One card or tile, read large. */
export interface CardDetail {
  /** Its id for `GameBoard.Picture`, the same in the encyclopaedia and on the board. */
  card: string;
  title: string;
  /** What kind of thing it is, in a few words: "Fish", "Husky, number 47". */
  kind: string;
  /** Its full text, a paragraph each. */
  text: string[];
  /** What it scores where it lies now; empty in the encyclopaedia. */
  lines: DetailLine[];
  /** What it is worth where it lies now; null: it lies where nothing scores (store, park, hand, encyclopaedia). */
  total: number | null;
  /** What stands above the lines; "Here now" if left out. */
  heading?: string | undefined;
  /** The cards that lie together here. */
  parts?: DetailPart[] | undefined;
  /** How many there are in the box, in words. */
  count?: string | undefined;
  /** A quiet remark, such as that a value is reconstructed. */
  note?: string | undefined;
}

/** A part of the encyclopaedia, such as all fish. */
export interface CatalogueGroup {
  title: string;
  cards: CardDetail[];
}

/** What stands on the table beside the view: the ghost that is drawn on a place, and what has happened so far. */
export interface InspectContext {
  ghost: MoveOption | null;
  preview: Preview | null;
  entries: readonly Entry[];
}

/** An element that stands for a card, or a space of the board, has one of these. */
export const INSPECTABLE = '[data-inspect], [data-space]';

export const inspectable = (target: EventTarget | null): HTMLElement | SVGElement | null =>
  target instanceof Element ? target.closest<HTMLElement | SVGElement>(INSPECTABLE) : null;

export const keyOf = (element: Element): string =>
  element.getAttribute('data-inspect') ?? element.getAttribute('data-space') ?? '';

/** All places that a card's lines speak of. */
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

/** What the ghost would score for this seat, as the server's preview says. */
export function previewScore(
  context: InspectContext,
  seat: number | null,
  names: readonly string[],
  say: (line: ScoreLine) => string = defaultLineText,
): Pick<CardDetail, 'lines' | 'total' | 'heading'> {
  const lines = linesOf(context.preview?.lines.filter((line) => line.seat === seat) ?? [], names, say);
  return { lines, total: lines.length ? sum(lines) : null, heading: 'If you play it here' };
}

/** What the piece that lies at a place scored when it was laid, as the log tells; nothing if it came there otherwise. */
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
  const laid = last && placeKey(last.data['at']) === key ? last : null;
  const lines = linesOf(laid?.lines.filter((line) => line.seat === laid.seat) ?? [], names, say);
  if (!laid || !lines.length) return { lines: [], total: null };
  return { lines, total: sum(lines), heading: `When ${names[laid.seat] ?? 'somebody'} laid it` };
}

/** Points with their sign, as on a badge. */
export const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);

/** The entries whose title, kind or text has all these words. */
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
