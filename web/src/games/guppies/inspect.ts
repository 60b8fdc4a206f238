/** Guppies' tiles read large: their edges, what they scored when they were placed, and all tiles of the box. */
import type { BoxTile } from '../../lib/api/generated/view-guppies';
import {
  previewScore,
  placedScore,
  type InspectContext,
  type CardDetail,
  type CatalogueGroup,
} from '../../lib/inspect/inspect';
import { placeKey } from '../../lib/board/geometry';
import { capitalize, counted } from '../../lib/text';
import { ghostOf, tileWords, type GuppiesView } from './board';
import { halvesOf, turned } from './material';

const FACE = 'face:';
/** The key of a face of the drawn tile, beside the board. */
export const faceKey = (side: string): string => FACE + side;

const SQUID = 'SQUID';
const SCORING =
  'Each fish it completes brings 3 points in your own colour and 1 in another, times the edges at which it touches.';
const SQUID_SCORING = 'Only water may touch it. It brings 5 points for each edge at which it touches.';

function plain(face: string): CardDetail {
  const halves = halvesOf(face).length;
  const squid = face === SQUID;
  return {
    card: face,
    title: squid ? 'The rainbow squid' : 'Tile',
    kind: squid ? 'Water all around' : `${counted(halves, 'half', 'halves')} of fish, ${6 - halves} of water`,
    text: squid ? [SQUID_SCORING] : [`${capitalize(tileWords(face))}.`, SCORING],
    lines: [],
    total: null,
  };
}

export function inspect(view: GuppiesView, key: string, names: string[], context?: InspectContext): CardDetail | null {
  if (key.startsWith(FACE)) {
    const face = view.position.tile?.[key === faceKey('b') ? 1 : 0];
    return face === undefined
      ? null
      : { ...plain(face), title: face === SQUID ? 'The rainbow squid' : 'The drawn tile' };
  }
  if (context?.ghost?.place === key) {
    const ghost = ghostOf(view, context.ghost);
    return ghost && { ...plain(turned(ghost.face, ghost.turn)), ...previewScore(context, view.seat, names) };
  }
  const tile = view.position.laid.find((each) => placeKey(each.at) === key);
  return tile ? { ...plain(tile.face), ...placedScore(context, key, names) } : null;
}

const EACH = 32;

/** With a view, each tile shows whether it may still be drawn. */
export function catalogue(view: GuppiesView | null, box: readonly unknown[]): CatalogueGroup[] {
  const tiles = box as BoxTile[];
  const left = view ? new Set(view.extra.may_be_in_bag) : null;
  const entry = ({ tile, a, b, source }: BoxTile): CardDetail => ({
    ...plain(a),
    card: `${a} ${b}`,
    title: `Tile ${tile}`,
    kind: a === SQUID ? 'The rainbow squid is on one face' : 'Two faces',
    text: a === SQUID ? [SQUID_SCORING] : [],
    count: left
      ? left.has(tile)
        ? 'May still come'
        : tile === view?.extra.tile
          ? 'Drawn now'
          : 'Laid'
      : '1 in the box',
    note: source === 'reconstructed' ? 'Reconstructed.' : undefined,
    parts: [a, b].map((face, i) => ({
      card: face,
      title: i ? 'Back:' : 'Front:',
      text: face === SQUID ? 'the squid.' : `${tileWords(face)}.`,
    })),
  });
  const squid = tiles.filter((tile) => tile.a === SQUID || tile.b === SQUID);
  const groups: CatalogueGroup[] = [
    { title: 'The rainbow squid', cards: squid.map((tile) => ({ ...entry(tile), card: SQUID })) },
  ];
  for (let from = 0; from < tiles.length; from += EACH) {
    const some = tiles.slice(from, from + EACH).filter((tile) => !squid.includes(tile));
    groups.push({ title: `Tiles ${from + 1} to ${Math.min(from + EACH, tiles.length)}`, cards: some.map(entry) });
  }
  return groups.filter((group) => group.cards.length > 0);
}
