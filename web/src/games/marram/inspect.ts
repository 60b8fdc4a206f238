/** Marram's tiles read large: what is on them, the features they are part of, and everything in the box. */
import type { BoxTile, Laid } from '../../lib/api/generated/view-marram';
import {
  previewScore,
  placedScore,
  type InspectContext,
  type CardDetail,
  type CatalogueGroup,
} from '../../lib/inspect/inspect';
import type { DetailLine } from '../../lib/inspect/inspect';
import { placeKey } from '../../lib/board/geometry';
import { capitalize, counted, seatName } from '../../lib/text';
import {
  faceOf,
  faceWords,
  featureAt,
  featuresOf,
  featureWords,
  ghostOf,
  inHands,
  leadWords,
  lineWords,
  onTile,
  playedTile,
  sideOf,
  slotWords,
  type Feature,
  type MarramView,
} from './board';
import type { Face, Slot } from './material';

const SIDE = 'side:';
const SLOT = 'on ';
/** The key of a side of a tile in a hand: "17a". */
export const sideKey = (piece: string): string => SIDE + piece;

/** What a picture shows of a tile: one face or both. */
export interface Drawn {
  faces: Face[];
  flips: number;
  spade: boolean;
}
const drawn = (faces: Face[], flips = 0, spade = false): string => JSON.stringify({ faces, flips, spade });

function plain(face: Face, title: string): CardDetail {
  const beasts = face.segments.length;
  return {
    card: drawn([face]),
    title,
    kind: `${capitalize(face.bridge)} bridge, ${beasts ? counted(beasts, 'part') + ' of beasts' : 'no beast'}`,
    text: [`${capitalize(faceWords(face))}.`],
    lines: [],
    total: null,
  };
}

const featureLine = (view: MarramView, feature: Feature, names: string[]): DetailLine => ({
  points: feature.points,
  why: `${capitalize(featureWords(feature))}: ${leadWords(view, feature, names)}`,
  places: feature.of.tiles.map(placeKey),
  later: true,
});

export function inspect(view: MarramView, key: string, names: string[], context?: InspectContext): CardDetail | null {
  if (key.startsWith(SIDE)) {
    const piece = key.slice(SIDE.length);
    const tile = inHands(view).get(parseInt(piece));
    if (!tile) return null;
    const side = piece.endsWith('b') ? 'b' : 'a';
    const detail = plain(
      sideOf(tile, side, 0),
      `${side === 'a' ? 'Front' : 'Back'} of a ${tile.spade ? 'spade tile' : 'tile'}`,
    );
    if (tile.spade) detail.text.push('A spade tile can be turned over later, for a spade card.');
    return detail;
  }
  if (context?.ghost?.place === key) {
    const ghost = ghostOf(view, context.ghost);
    if (ghost)
      return { ...plain(ghost.face, 'If it lies here'), ...previewScore(context, view.seat, names, lineWords) };
  }
  if (key.startsWith(SLOT)) return slot(view, key.slice(SLOT.length) as Slot, names);
  const tile = view.position.laid.find((each) => placeKey(each.at) === key);
  return tile ? laid(view, tile, names, context) : null;
}

function laid(view: MarramView, tile: Laid, names: string[], context?: InspectContext): CardDetail {
  const key = placeKey(tile.at);
  const face = faceOf(tile);
  const detail = plain(face, tile.flips ? 'A tile that can be flipped' : 'A tile');
  const scored = placedScore(context, key, names, lineWords);
  const features = featuresOf(view).filter((feature) => onTile(feature, key));
  detail.card = drawn([face], tile.flips);
  if (tile.flips)
    detail.text.push(
      `For a spade card it can be flipped ${tile.flips === 1 ? 'once' : counted(tile.flips, 'time')} more.`,
    );
  if (tile.claim) {
    const whose = tile.claim.seat === view.seat ? 'Your' : `${seatName(names, tile.claim.seat)}'s`;
    detail.text.push(`${whose} ${tile.claim.piece} stands on the ${slotWords(tile, tile.claim.on)}.`);
  }
  for (const kind of ['fly', 'frog'] as const) {
    const animal = view.position[kind];
    if (animal && placeKey(animal.at) === key)
      detail.text.push(`The ${kind} is here, after ${counted(animal.hops, 'hop')}.`);
  }
  if (features.length)
    return {
      ...detail,
      lines: features.map((feature) => featureLine(view, feature, names)),
      heading: 'Claimed here now',
    };
  return { ...detail, ...scored };
}

/** A spot for a claim on the tile just played. */
function slot(view: MarramView, on: Slot, names: string[]): CardDetail | null {
  const tile = playedTile(view);
  if (!tile) return null;
  const feature = featureAt(view, tile, on);
  return {
    ...plain(faceOf(tile), capitalize(slotWords(tile, on))),
    kind: 'A spot to claim',
    lines: feature ? [featureLine(view, feature, names)] : [],
    heading: 'What a claim here would stand on',
  };
}

// --- the catalogue ------------------------------------------------------------------------------------------------------

const entry = (card: string, title: string, kind: string, text: string, count?: string): CardDetail => ({
  card,
  title,
  kind,
  text: [text],
  lines: [],
  total: null,
  count,
});

const BEASTS = [
  entry(
    'beast blue',
    'Blue snake',
    'Head, bodies, tail',
    'Complete with one head, one tail and at least one body between them: 3 points a segment.',
  ),
  entry('beast orange', 'Orange snake', 'Two ends, bodies', 'Complete with two ends: 1 point a segment.'),
  entry(
    'beast worm',
    'Worm',
    'Two ends, bodies, a saddle',
    'Complete with two ends and exactly one saddle: 2 points a segment.',
  ),
  entry(
    'beast any',
    'Beastly body',
    'A body of any beast',
    'It belongs to the first beast that it is joined to, for good.',
  ),
  entry('freak', 'Freak', 'Anything else without an open edge', 'Two heads, no saddle, a ring: 3 points in all.'),
];
const ANIMALS = [
  entry(
    'animal fly',
    'Fly',
    'Only in Animals',
    'It hops to tiles that share an edge. Bet on how many hops it makes before a blue head eats it.',
  ),
  entry(
    'animal frog',
    'Frog',
    'Only in Animals',
    'It hops to tiles that share an edge or a corner. Bet on how many hops it makes before a blue head eats it.',
  ),
];
const PIECES = [
  entry(
    'piece boot',
    'Boot',
    'To claim with',
    'In Classic it claims anything; in Pitchfork and Animals it claims patches of ground.',
  ),
  entry('piece fork', 'Fork', 'To claim with', 'In Pitchfork and Animals it claims beasts.'),
  entry('spade', 'Spade card', 'To flip with', 'Turns a laid spade tile over to its other face.'),
];
const ORNAMENTS = { gold: 'Gold coin', silver: 'Silver coin', flower: 'Flower' } as const;
const WORTH = {
  gold: 'In a complete patch 5 points in Classic, 4 in Pitchfork and Animals.',
  silver: 'In a complete patch 3 points in Classic, 2 in Pitchfork and Animals.',
  flower: 'In a complete patch 4 points in Classic, 3 in Pitchfork and Animals.',
} as const;

/** Tiles that look the same are one entry. */
function tileEntries(tiles: readonly BoxTile[]): CardDetail[] {
  const found = new Map<string, CardDetail & { copies: number }>();
  for (const tile of tiles) {
    const faces = tile.spade ? [sideOf(tile, 'a', 0), sideOf(tile, 'b', 0)] : [sideOf(tile, 'a', 0)];
    const card = drawn(faces, 0, tile.spade);
    const known = found.get(card);
    if (known) known.copies += 1;
    else {
      const [front, back] = faces as [Face, Face | undefined];
      const same = plain(front, tile.tile === 0 ? 'The starter' : `Tile ${tile.tile}`);
      const text = back ? [`Front: ${faceWords(front)}.`, `Back: ${faceWords(back)}.`] : same.text;
      const note = tile.source === 'reconstructed' ? 'Reconstructed.' : undefined;
      found.set(card, { ...same, card, text, note, copies: 1 });
    }
  }
  return [...found.values()].map(({ copies, ...detail }) => ({ ...detail, count: `${copies} in the box` }));
}

export function catalogue(_view: MarramView | null, box: readonly unknown[]): CatalogueGroup[] {
  const tiles = box as BoxTile[];
  if (!tiles.length) return [];
  const ornaments = (['gold', 'silver', 'flower'] as const).map((kind) => {
    const with_ = tiles.filter((tile) => tile.ornaments.includes(kind)).length;
    const ground = kind === 'flower' ? 'On sand bridges' : 'On grass bridges';
    return entry(`ornament ${kind}`, ORNAMENTS[kind], ground, WORTH[kind], `On ${counted(with_, 'tile')}`);
  });
  return [
    { title: 'Beasts', cards: BEASTS },
    { title: 'Coins and flowers', cards: ornaments },
    { title: 'Pieces and cards', cards: PIECES },
    { title: 'Animals', cards: ANIMALS },
    { title: 'Spade tiles, which can be flipped', cards: tileEntries(tiles.filter((tile) => tile.spade)) },
    { title: 'Other tiles', cards: tileEntries(tiles.filter((tile) => !tile.spade)) },
  ];
}
