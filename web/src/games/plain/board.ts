/**
 * The plain board's moves and spaces. Pieces are cards in hand and pieces that move, spaces are places of the grid and piles,
 * and moves that touch nothing are buttons. `core/plain_board.py` documents the fields of a move.
 */
import type { PlainBoard, PlainCard, PlainPiece } from '../../lib/api/generated/plain-board';
import type { Entry, Legal, View } from '../../lib/api/types';
import { pointsOf, type Choice, type MoveOption, type Selection } from '../../lib/board/selection';
import { boxOf, placeKey, type Box, type Point } from '../../lib/board/geometry';
import type { BoardArea } from '../../lib/board/boardArea.svelte';
import type { Hop } from '../../lib/board/tracking';
import { capitalize, counted, displayText } from '../../lib/text';
import type { Space } from '../game';
import { CARD, HEX, kindOf, PILE, pointOf, SPACE, SQUARE } from './art';

export type PlainView = View & { plain_board?: PlainBoard };
export type PlainMove = Legal<{
  kind: string;
  at?: unknown;
  from?: unknown;
  card?: string;
  pile?: string;
  piece?: PlainPiece;
}>;

const EMPTY: PlainBoard = { grid: 'square', places: [] };
export const boardOf = (view: PlainView): PlainBoard => view.plain_board ?? EMPTY;

/** What is chosen by pointing at a place alone. */
export const HERE = 'here';
export const cardPiece = (key: string): string => `card:${key}`;
export const fromPiece = (place: string): string => `from:${place}`;
export const movePiece = (move: string): string => `move:${move}`;
export const pileKey = (key: string): string => `pile:${key}`;

const spotOf = (place: PlainBoard['places'][number]): string => place.key ?? placeKey(place.at);

/** The key of a place that a move, an event or a score line names by its key or by where it is. */
export function keyOf(view: PlainView, where: unknown): string {
  const name = placeKey(where);
  const { places } = boardOf(view);
  if (places.some((place) => spotOf(place) === name)) return name;
  const found = places.find((place) => placeKey(place.at) === name);
  return found ? spotOf(found) : name;
}

export function options(view: PlainView, legal: PlainMove[]): MoveOption<PlainMove>[] {
  // What is not on the board cannot be pointed at: such a move is a button.
  const { places, piles = [] } = boardOf(view);
  const known = new Set([...places.map(spotOf), ...piles.map((pile) => pileKey(pile.key))]);
  const hand = new Set(handOf(view, view.seat).map((card) => card.key));
  const cardOf = (move: PlainMove) => (move.card !== undefined && hand.has(move.card) ? move.card : undefined);
  const spot = (where: unknown) =>
    where !== undefined && known.has(keyOf(view, where)) ? keyOf(view, where) : undefined;
  const heap = (move: PlainMove) => (known.has(pileKey(move.pile ?? '')) ? pileKey(move.pile ?? '') : undefined);
  const placeOf = (move: PlainMove) =>
    spot(move.at) ?? heap(move) ?? (move.card === undefined ? spot(move.from) : undefined);
  // A card that goes to a place waits for one; what else can be done with it has a button of its own.
  const going = new Set(legal.filter((move) => placeOf(move) !== undefined).map(cardOf));
  return legal.map((move) => {
    const [place, card] = [placeOf(move) ?? null, cardOf(move)];
    const from = spot(move.at) === undefined ? undefined : (spot(move.from) ?? heap(move));
    let piece = movePiece(move.move);
    if (place === null && card !== undefined && !going.has(card)) piece = cardPiece(card);
    else if (place !== null && card !== undefined) piece = cardPiece(card);
    else if (place !== null) piece = from === undefined ? HERE : fromPiece(from);
    return { piece, place, way: move.move, move };
  });
}

/** Where one only has to point, nothing has to be taken first. */
export const startPiece = (_view: PlainView, all: MoveOption<PlainMove>[]): string | null =>
  all.some((option) => option.piece === HERE) ? HERE : null;

/** Pointing at a piece that can move takes it up, once more puts it down; pointing where no card is needed lets go of one. */
export function tap(
  _view: PlainView,
  all: MoveOption<PlainMove>[],
  selection: Selection,
  place: string,
): Selection | null {
  if (all.some((option) => option.piece === selection.piece && option.place === place)) return null;
  if (selection.piece === fromPiece(place)) return { piece: null, place: null, way: null };
  if (all.some((option) => option.piece === HERE && option.place === place)) return { piece: HERE, place, way: null };
  if (all.some((option) => option.piece === fromPiece(place)))
    return { piece: fromPiece(place), place: null, way: null };
  return null;
}

/** Where each pile lies: in a row below the grid, or in a column to the right of it where the window is wide. */
export function pileSpots(
  view: PlainView,
  area: BoardArea,
): { pile: NonNullable<PlainBoard['piles']>[number]; at: Point }[] {
  const { grid, places, piles = [] } = boardOf(view);
  const box = boxOf(
    places.map((place) => pointOf(grid, place.at)),
    places.length ? SQUARE / 2 : 0,
  );
  const beside = area.width > area.height && places.length > 0;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  return piles.map((pile, i) => {
    const shift = i - (piles.length - 1) / 2;
    const at = beside
      ? { x: box.x + box.width + CARD.width, y: middle.y + shift * (CARD.height + 38) }
      : { x: middle.x + shift * (CARD.width + 24), y: box.y + box.height + (places.length ? CARD.height * 0.85 : 0) };
    return { pile, at };
  });
}

export function spaces(view: PlainView, names: string[], area: BoardArea): Space[] {
  const { grid, places } = boardOf(view);
  return [
    ...places.map((place) => ({
      key: spotOf(place),
      ...pointOf(grid, place.at),
      label: displayText(place.label, names),
      name: place.name,
      shape: SPACE[grid],
      badge: place.piece ? { x: 26, y: 26 } : undefined,
    })),
    ...pileSpots(view, area).map(({ pile, at }) => ({
      key: pileKey(pile.key),
      ...at,
      label: displayText(pile.label, names),
      shape: PILE,
      badge: { x: CARD.width / 2, y: -CARD.height / 2 },
    })),
  ];
}

export function frame(view: PlainView, area: BoardArea): Box {
  const { grid } = boardOf(view);
  const found = spaces(view, [], area);
  if (!found.length) return { x: -210, y: -90, width: 420, height: 180 };
  return boxOf(found, (grid === 'hex' ? HEX : SQUARE / 2) + 24);
}

/** The pieces on the grid, for the tracking of those that move. */
export function pieces(view: PlainView): { place: string; kind: string }[] {
  return boardOf(view).places.flatMap((place) =>
    place.piece ? [{ place: spotOf(place), kind: kindOf(place.piece) }] : [],
  );
}

/** Pieces that events have moved. */
export function hops(view: PlainView, entries: readonly Entry[]): Hop[] {
  return entries.flatMap((entry) =>
    entry.events.flatMap(({ data }) => {
      const to = data['at'] ?? data['to'];
      return data['from'] === undefined || to === undefined
        ? []
        : [{ from: keyOf(view, data['from']), to: keyOf(view, to) }];
    }),
  );
}

export const handOf = (view: PlainView, seat: number | null): PlainCard[] =>
  boardOf(view).hands?.find((hand) => hand.seat === seat)?.cards ?? [];

/** How the piece of a move would look where it goes; null: nothing is known of it. */
export function ghostOf(view: PlainView, option: MoveOption): PlainPiece | null {
  const move = option.move as PlainMove;
  if (move.piece) return move.piece;
  if (move.from !== undefined) {
    const from = keyOf(view, move.from);
    return boardOf(view).places.find((place) => spotOf(place) === from)?.piece ?? null;
  }
  const card = handOf(view, view.seat).find((each) => each.key === move.card);
  if (card?.text === undefined) return null;
  return card.colour === undefined ? { text: card.text } : { text: card.text, colour: card.colour };
}

export function attempt(view: PlainView, choice: Choice<PlainMove>, place: string): string | null {
  const { places, piles = [] } = boardOf(view);
  const move =
    places.find((each) => spotOf(each) === place)?.move ?? piles.find((each) => pileKey(each.key) === place)?.move;
  if (move === undefined || !move.includes('{card}')) return move ?? null;
  return choice.piece?.startsWith('card:') ? move.replaceAll('{card}', choice.piece.slice('card:'.length)) : null;
}

export function prompt(view: PlainView, choice: Choice<PlainMove>, selection: Selection): string {
  if (selection.piece?.startsWith('from:')) return 'Now choose where it goes.';
  if (selection.piece?.startsWith('card:') && choice.places.size) return 'Now choose a glowing place for this card.';
  const own = boardOf(view).prompt;
  if (own !== undefined) return own;
  const has = (kind: string) => choice.pieces.some((piece) => piece.startsWith(kind));
  const ways = [];
  if (has(HERE)) ways.push('a glowing place');
  if (has('from:')) ways.push('a piece to move');
  if (has('card:')) ways.push('a card of your hand');
  if (has('move:')) ways.push('one of the buttons below');
  const last = ways.pop() ?? 'a move';
  return `Your turn: choose ${ways.length ? `${ways.join(', ')} or ` : ''}${last}.`;
}

export function describe(_view: PlainView, { move }: MoveOption<PlainMove>): string {
  const points = pointsOf(move);
  const gain = points ? ` for ${counted(points, 'point')}` : '';
  return `${capitalize(move.words)}${gain}?`;
}
