/** Umbradeco's moves and spaces: pieces are tiles in hand or in the market, ways are push directions. */
import type { AnyMove, Extra, Position } from '../../lib/api/generated/view-umbradeco';
import type { Entry, Legal, ScoreLine, View } from '../../lib/api/types';
import { pointsOf, type Choice, type MoveOption } from '../../lib/board/selection';
import { boxOf, placeKey, type Box, type Point } from '../../lib/board/geometry';
import type { Hop } from '../../lib/board/tracking';
import { counted, sentence } from '../../lib/text';
import type { Space } from '../game';
import { at, SIZE } from './layout';
import { DIRECTION_WORDS, matSpaces, SIDES, STEPS, type Colour, type Direction } from './material';

export type UmbraView = View<Position, Extra>;
export type UmbraMove = Legal<AnyMove>;

export function options(_view: UmbraView, legal: UmbraMove[]): MoveOption<UmbraMove>[] {
  return legal.flatMap((move): MoveOption<UmbraMove>[] => {
    switch (move.kind) {
      case 'place':
      case 'stack':
        return [{ piece: move.colour, place: placeKey(move.at), way: move.kind, move }];
      case 'push':
        return [{ piece: move.colour, place: placeKey(move.at), way: move.direction, move }];
      case 'take':
      case 'drop':
        return [{ piece: `${move.kind} ${move.colour}`, place: null, way: '', move }];
      default:
        return [];
    }
  });
}

/** The tile in hand that can score most; no tile of the market is selected from the start. */
export function startPiece(_view: UmbraView, all: MoveOption<UmbraMove>[]): string | null {
  let best: MoveOption<UmbraMove> | null = null;
  for (const option of all)
    if (option.place !== null && (!best || pointsOf(option.move) > pointsOf(best.move))) best = option;
  return best?.piece ?? null;
}

export function tilesAt(view: UmbraView): Map<string, Colour[]> {
  return new Map(view.position.mat.map((space) => [placeKey(space.at), space.tiles]));
}

export const sideOf = (view: UmbraView): number => SIDES[view.position.options.mat];

/** Columns have letters from the left, and spaces in a column numbers from the bottom: "d4" is the middle of a standard mat. */
export function nameOf(q: number, r: number, side: number): string {
  const lowest = Math.min(side - 1, side - 1 - q);
  return `${String.fromCharCode(97 + q + side - 1)}${lowest - r + 1}`;
}

export function spaces(view: UmbraView): Space[] {
  const tiles = tilesAt(view);
  return matSpaces(sideOf(view)).map(([q, r]) => {
    const key = placeKey([q, r]);
    const here = tiles.get(key) ?? [];
    const holds = here.length > 1 ? `${here[1]} on ${here[0]}` : (here[0] ?? 'empty');
    return {
      key,
      ...at(q, r),
      name: nameOf(q, r, sideOf(view)),
      label: `Space ${nameOf(q, r, sideOf(view))}: ${holds}`,
      badge: here.length ? { x: 22, y: 24 } : undefined,
    };
  });
}

export function frame(view: UmbraView): Box {
  return boxOf(
    matSpaces(sideOf(view)).map(([q, r]) => at(q, r)),
    SIZE + 26,
  );
}

const read = (key: string): [number, number] => {
  const [q = 0, r = 0] = key.split(',').map(Number);
  return [q, r];
};

/** The space that a push in a direction leads to. */
export function beyond(place: string, direction: Direction): { key: string; point: Point } {
  const [q, r] = read(place);
  const [dq, dr] = STEPS[direction];
  return { key: placeKey([q + dq, r + dr]), point: at(q + dq, r + dr) };
}

export function attempt(view: UmbraView, choice: Choice<UmbraMove>, place: string): string | null {
  const hand = view.seat === null ? [] : (view.position.hands[view.seat] ?? []);
  const colour = choice.piece?.split(' ').at(-1) ?? hand[0];
  if (colour === undefined || view.position.phase !== 'place') return null;
  const tiles = tilesAt(view);
  if (!tiles.has(place)) return `${colour}@${place}`;
  const known = new Set(matSpaces(sideOf(view)).map(placeKey));
  for (const direction of Object.keys(STEPS) as Direction[]) {
    const { key } = beyond(place, direction);
    if (known.has(key) && !tiles.has(key)) return `${colour}>${place}:${direction}`;
  }
  return `${colour}^${place}`;
}

export function prompt(view: UmbraView, choice: Choice<UmbraMove>): string {
  if (view.position.phase === 'take') return 'Now take a tile from the market.';
  if (choice.pieces.every((piece) => piece.startsWith('drop'))) return 'Nothing fits: discard one of your tiles.';
  return choice.pieces.length > 1
    ? 'Your turn: choose a tile of your hand, then a glowing space.'
    : 'Your turn: place your tile on a glowing space.';
}

export function describe(view: UmbraView, option: MoveOption<UmbraMove>): string {
  const move = option.move;
  const points = pointsOf(move);
  const gain = points ? ` for ${counted(points, 'point')}` : '';
  const here = option.place === null ? [] : (tilesAt(view).get(option.place) ?? []);
  if (move.kind === 'place') return `Open ${move.colour} here${gain}?`;
  if (move.kind === 'push')
    return `Push ${here[0] ?? 'the tile'} to the ${DIRECTION_WORDS[move.direction]} and open ${move.colour} here${gain}?`;
  if (move.kind === 'stack') return `Stack ${move.colour} on ${here[0] ?? 'the tile'}${gain}?`;
  if (move.kind === 'take') return `Take ${move.colour} from the market?`;
  if (move.kind === 'drop') return `Discard ${move.colour}?`;
  return sentence(move.words);
}

const REASONS: Record<string, string> = {
  row: 'In a line',
  'four colours': 'Four colours around',
  push: 'Push',
  stack: 'Stack',
};

/** A short reason for points: the board highlights the spaces. */
export const lineWords = (line: ScoreLine): string => REASONS[line.rule] ?? (line.why || line.rule);

/** The umbrellas that were pushed, from the log. */
export function hops(entries: readonly Entry[]): Hop[] {
  return entries.flatMap((entry) =>
    entry.events
      .filter((event) => event.kind === 'push' && event.data['to'] !== undefined)
      .map((event) => ({ from: placeKey(event.data['at']), to: placeKey(event.data['to']) })),
  );
}
