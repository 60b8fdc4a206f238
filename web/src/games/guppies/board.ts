/** Guppies' moves and spaces: pieces are the two faces of the drawn tile, spaces are open hexagons, ways are turns. */
import type { Extra, Lay, Position } from '../../lib/api/generated/view-guppies';
import type { Legal, View } from '../../lib/api/types';
import { pointsOf, type Choice, type MoveOption, type Selection } from '../../lib/board/selection';
import { boxOf, hexCompassName, placeKey, type Box } from '../../lib/board/geometry';
import { counted } from '../../lib/text';
import type { Space } from '../game';
import { at, SIZE } from './layout';
import { EDGE_WORDS, letterAt, letterWords, STEPS } from './material';

export type GuppiesView = View<Position, Extra>;
export type GuppiesMove = Legal<Lay>;

export function options(_view: GuppiesView, legal: GuppiesMove[]): MoveOption<GuppiesMove>[] {
  return legal
    .filter((move) => move.kind === 'lay')
    .map((move) => ({ piece: move.side, place: placeKey(move.at), way: String(move.turn), move }));
}

/** The face that can score most. */
export function startPiece(_view: GuppiesView, all: MoveOption<GuppiesMove>[]): string | null {
  let best: MoveOption<GuppiesMove> | null = null;
  for (const option of all) if (!best || pointsOf(option.move) > pointsOf(best.move)) best = option;
  return best?.piece ?? null;
}

const MATES: Record<string, string> = { '.': '.', G: 'g', g: 'G', O: 'o', o: 'O', P: 'p', p: 'P' };

export function spaces(view: GuppiesView): Space[] {
  const faces = new Map(view.position.laid.map((tile) => [placeKey(tile.at), tile.face]));
  const found: Space[] = view.position.laid.map((tile) => {
    const [q = 0, r = 0] = tile.at;
    return {
      key: placeKey(tile.at),
      ...at(q, r),
      name: hexCompassName(q, r),
      label: `Tile at ${hexCompassName(q, r)}: ${tileWords(tile.face)}`,
    };
  });
  const open = view.extra.open.length || faces.size ? view.extra.open : [[0, 0]];
  for (const [q = 0, r = 0] of open) {
    const wants = STEPS.flatMap(([dq, dr], edge) => {
      const beside = faces.get(placeKey([q + dq, r + dr]));
      if (beside === undefined) return [];
      return [`${letterWords(MATES[letterAt(beside, (edge + 3) % 6)] ?? '.')} to the ${EDGE_WORDS[edge]}`];
    });
    const label = `Open space ${hexCompassName(q, r)}${wants.length ? `, wants ${wants.join(', ')}` : ''}`;
    found.push({ key: placeKey([q, r]), ...at(q, r), name: hexCompassName(q, r), label });
  }
  return found;
}

export function tileWords(face: string): string {
  if (face === 'SQUID') return 'the rainbow squid, water all around';
  return EDGE_WORDS.map((word, edge) => `${letterWords(letterAt(face, edge))} ${word}`).join(', ');
}

export function frame(view: GuppiesView): Box {
  const all = [...view.position.laid.map((tile) => tile.at), ...view.extra.open, [0, 0]];
  return boxOf(
    all.map(([q = 0, r = 0]) => at(q, r)),
    SIZE + 12,
  );
}

export function attempt(_view: GuppiesView, choice: Choice<GuppiesMove>, place: string): string | null {
  return `${choice.piece ?? 'a'}${choice.ready?.way ?? '0'}@${place}`;
}

export function prompt(view: GuppiesView, choice: Choice<GuppiesMove>): string {
  if (!view.position.laid.length) return 'You begin: choose a face and lay it in the middle.';
  if (!choice.places.size) return 'This face fits nowhere: flip the tile.';
  return 'Your turn: lay the tile on a glowing space.';
}

export function describe(_view: GuppiesView, option: MoveOption<GuppiesMove>): string {
  const points = pointsOf(option.move);
  return `Lay the tile here${points ? ` for ${counted(points, 'point')}` : ''}?`;
}

export function ghostOf(
  view: GuppiesView,
  ghost: MoveOption | null,
): { q: number; r: number; face: string; turn: number } | null {
  if (!ghost || ghost.place === null) return null;
  const face = view.position.tile?.[ghost.piece === 'b' ? 1 : 0];
  const [q, r] = ghost.place.split(',').map(Number);
  return face === undefined || q === undefined || r === undefined ? null : { q, r, face, turn: Number(ghost.way) };
}

export type { Selection };
