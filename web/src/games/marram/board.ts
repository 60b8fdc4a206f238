/**
 * Marram's moves and spaces. In a move, pieces are the sides of the tiles in hand ("17a") or "flip", spaces are tiles and the
 * open squares beside them, ways are turns. For a claim, spaces are the spots on the tile just played. The server says what is
 * legal, how many points a feature has and who leads on it.
 */
import type { AnyMove, Beast, Extra, Laid, PatchShape, Position, TileFace } from '../../lib/api/generated/view-marram';
import type { Legal, ScoreLine, View } from '../../lib/api/types';
import { pointsOf, type Choice, type MoveOption } from '../../lib/board/selection';
import { boxOf, compassName, placeKey, type Box, type Point } from '../../lib/board/geometry';
import { counted, seatName, sentence } from '../../lib/text';
import type { Space } from '../game';
import { bridgeRegion, cornerLine, cornerRegion, seedAt, SLOT } from './art';
import { along, at, layoutOf, SIZE, spine, tipOf, vertexAt } from './layout';
import {
  bridgeCorners,
  CORNER_WORDS,
  CORNERS,
  EDGE_WORDS,
  EDGES,
  groundAt,
  parityOf,
  partedCorners,
  readSegment,
  SIGNS,
  STEPS,
  turned,
  type Face,
  type Segment,
  type Slot,
} from './material';

export type MarramView = View<Position, Extra>;
export type MarramMove = Legal<AnyMove>;
export type Feature =
  | { key: string; sort: 'beast'; of: Beast; pieces: number[]; leads: number[]; points: number }
  | { key: string; sort: 'patch'; of: PatchShape; pieces: number[]; leads: number[]; points: number };

export const CLAIM = 'claim';
export const FLIP = 'flip';
export const NO_CLAIM = 'no claim';
const slotKey = (slot: string) => `on ${slot}`;

// --- choosing -----------------------------------------------------------------------------------------------------------

export function options(_view: MarramView, legal: MarramMove[]): MoveOption<MarramMove>[] {
  const onBoard: MoveOption<MarramMove>[] = [];
  const beside: MoveOption<MarramMove>[] = [];
  for (const move of legal) {
    switch (move.kind) {
      case 'lay':
        onBoard.push({ piece: `${move.tile}${move.face}`, place: placeKey(move.at), way: String(move.turn), move });
        break;
      case 'flip':
        beside.push({ piece: FLIP, place: placeKey(move.at), way: String(move.turn), move });
        break;
      case 'claim':
        onBoard.push({ piece: `${move.piece} ${move.on}`, place: null, way: '', move });
        beside.push({ piece: CLAIM, place: slotKey(move.on), way: '', move });
        break;
      default:
        beside.push({ piece: move.move, place: null, way: '', move });
    }
  }
  onBoard.sort((a, b) => parseInt(a.piece) - parseInt(b.piece) || a.piece.localeCompare(b.piece));
  return [...onBoard, ...beside];
}

export function startPiece(view: MarramView, all: MoveOption<MarramMove>[]): string | null {
  if (view.position.phase === 'claim') return all.some((option) => option.piece === CLAIM) ? CLAIM : null;
  let best: MoveOption<MarramMove> | null = null;
  for (const option of all)
    if (option.move.kind === 'lay' && (!best || pointsOf(option.move) > pointsOf(best.move))) best = option;
  return best?.piece ?? (all.some((option) => option.piece === FLIP) ? FLIP : null);
}

// --- what lies where ----------------------------------------------------------------------------------------------------

const xy = (where: readonly number[]): [number, number] => [where[0] ?? 0, where[1] ?? 0];
export const readPlace = (key: string): [number, number] => xy(key.split(',').map(Number));

export function faceOf(tile: Laid): Face {
  return {
    parity: parityOf(...xy(tile.at)),
    bridge: tile.bridge,
    segments: tile.segments.map(readSegment),
    ornament: tile.ornament ?? 'none',
  };
}

/** A side of a tile in a hand, after `turn` quarter turns. */
export function sideOf(tile: TileFace, side: string, turn: number): Face {
  const back = side === 'b' ? 1 : 0;
  return {
    parity: ((back + turn) % 2) as 0 | 1,
    bridge: tile.bridges[back] ?? 'grass',
    segments: turned(tile.segments.map(readSegment), turn),
    ornament: tile.ornaments[back] ?? 'none',
  };
}

/** A placed tile after a flip. */
export function flippedFace(tile: Laid, turn: number): Face {
  const face = faceOf(tile);
  return {
    ...face,
    bridge: face.bridge === 'grass' ? 'sand' : 'grass',
    segments: turned(face.segments, turn - tile.turn),
    ornament: tile.reverse_ornament ?? 'none',
  };
}

export const inHands = (view: MarramView): Map<number, TileFace> =>
  new Map(view.extra.hands.map((tile) => [tile.tile, tile]));

export function ghostOf(
  view: MarramView,
  ghost: MoveOption | null,
): { x: number; y: number; face: Face; key: string } | null {
  if (!ghost || ghost.place === null) return null;
  const move = ghost.move as MarramMove;
  if (move.kind !== 'lay' && move.kind !== 'flip') return null;
  const [x, y] = xy(move.at);
  const key = placeKey(move.at);
  if (move.kind === 'lay') {
    const tile = inHands(view).get(move.tile);
    return tile ? { x, y, key, face: sideOf(tile, move.face, move.turn) } : null;
  }
  const laid = view.position.laid.find((each) => placeKey(each.at) === key);
  return laid ? { x, y, key, face: flippedFace(laid, move.turn) } : null;
}

/** The tile that was just played, while a claim may follow. */
export function playedTile(view: MarramView): Laid | null {
  const played = view.position.phase === 'claim' ? view.position.played : undefined;
  const key = played && placeKey(played.at);
  return view.position.laid.find((tile) => placeKey(tile.at) === key) ?? null;
}

// --- features -----------------------------------------------------------------------------------------------------------

export function featuresOf(view: MarramView): Feature[] {
  return [
    ...view.extra.beasts.map((of): Feature => {
      const [first] = of.parts;
      const key = `b${placeKey(first?.at ?? [])}${first?.on ?? ''}`;
      return { key, sort: 'beast', of, pieces: of.pieces, leads: of.leads, points: of.points };
    }),
    ...view.extra.patches.map((of): Feature => {
      const key = `p${placeKey(of.corners[0] ?? [])}`;
      return { key, sort: 'patch', of, pieces: of.pieces, leads: of.leads, points: of.points };
    }),
  ];
}
export const claimed = (feature: Feature): boolean => feature.pieces.some((count) => count > 0);

export function onTile(feature: Feature, key: string): boolean {
  return feature.of.tiles.some((tile) => placeKey(tile) === key);
}

/** The feature of a spot on a tile, if the view lists it. */
export function featureAt(view: MarramView, tile: Laid, slot: Slot): Feature | null {
  const [x, y] = xy(tile.at);
  const edge = EDGES.indexOf(slot as (typeof EDGES)[number]);
  if (edge >= 0) {
    const segment = tile.segments.map(readSegment).find((each) => each.edges.includes(edge));
    const first = EDGES[segment?.edges[0] ?? edge];
    const key = placeKey([x, y]);
    return (
      featuresOf(view).find(
        (each) => each.sort === 'beast' && each.of.parts.some((part) => placeKey(part.at) === key && part.on === first),
      ) ?? null
    );
  }
  const named = CORNERS.indexOf(slot as (typeof CORNERS)[number]);
  const corner = named >= 0 ? named : bridgeCorners(faceOf(tile))[0];
  const [sx, sy] = SIGNS[corner] ?? [1, 1];
  const vertex = placeKey([x + (sx > 0 ? 1 : 0), y + (sy > 0 ? 1 : 0)]);
  return (
    featuresOf(view).find(
      (each) => each.sort === 'patch' && each.of.corners.some((point) => placeKey(point) === vertex),
    ) ?? null
  );
}

const BEASTS = { blue: 'blue snake', orange: 'orange snake', worm: 'worm', any: 'Beastly body' } as const;

export function featureWords(feature: Feature): string {
  if (feature.sort === 'beast') return `${BEASTS[feature.of.kind]} of ${counted(feature.of.segments, 'segment')}`;
  return `${feature.of.ground} patch of ${counted(feature.of.bulges, 'bulge')}`;
}

export const isComplete = (feature: Feature): boolean =>
  feature.sort === 'beast' ? feature.of.loose === 0 : feature.of.open === 0;

/** Who leads on a feature and the points it would score now, in words. */
export function leadWords(view: MarramView, feature: Feature, names: readonly string[] = []): string {
  const name = (seat: number) => (seat === view.seat ? 'you' : seatName(names, seat));
  const now = `${counted(feature.points, 'point')} now`;
  const [first, ...more] = feature.leads;
  if (first === undefined) return now;
  if (more.length) return `${feature.leads.map(name).join(' and ')} lead, ${now}`;
  return `${name(first)} ${first === view.seat ? 'lead' : 'leads'}, ${now}`;
}

export interface Shape {
  key: string;
  path: string;
  /** For an area: its border with the other ground. */
  rim: string;
  x: number;
  y: number;
  turn: number;
  /** The width of a line; 0 for an area. */
  thick: number;
  /** Whether there is no tile here yet. */
  missing: boolean;
}

/** The shapes of a feature, areas of ground or lines of beasts, and the position of its label. */
export function shapesOf(view: MarramView, feature: Feature): { shapes: Shape[]; label: Point } {
  const laid = new Map(view.position.laid.map((tile) => [placeKey(tile.at), tile]));
  const shapes = new Map<string, Shape>();
  const points: Point[] = [];
  if (feature.sort === 'beast') {
    for (const part of feature.of.parts) {
      const tile = laid.get(placeKey(part.at));
      if (!tile) continue;
      const face = faceOf(tile);
      const segment = face.segments.find((each) => EDGES[each.edges[0] ?? 0] === part.on);
      if (!segment) continue;
      const where = at(...xy(part.at));
      const tip = tipOf(face);
      const { path, turn } = spine(segment, tip);
      const key = `${placeKey(part.at)}${part.on}`;
      shapes.set(key, { key, path, rim: '', turn, ...where, thick: 27, missing: false });
      const spot = along(segment, tip)[4] ?? { x: 0, y: 0 };
      points.push({ x: where.x + spot.x, y: where.y + spot.y });
    }
  } else {
    for (const [vx, vy] of feature.of.corners.map(xy)) {
      points.push(vertexAt(vx, vy));
      for (const [dx, dy, corner] of [
        [-1, -1, 2],
        [0, -1, 3],
        [0, 0, 0],
        [-1, 0, 1],
      ] as const) {
        const [x, y] = [vx + dx, vy + dy];
        const tile = laid.get(placeKey([x, y]));
        const where = at(x, y);
        const seed = seedAt(where);
        const face = tile ? faceOf(tile) : null;
        const bridge = face !== null && bridgeCorners(face).includes(corner);
        const key = `${x},${y}${bridge ? 'bridge' : corner}`;
        const path = face && bridge ? bridgeRegion(partedCorners(face), seed) : cornerRegion(corner, seed);
        const parted = face && bridge ? partedCorners(face) : [corner];
        const rim = parted.map((each) => cornerLine(each, seed)).join('');
        shapes.set(key, { key, path, rim, turn: 0, ...where, thick: 0, missing: tile === undefined });
      }
    }
  }
  const middle = {
    x: points.reduce((sum, point) => sum + point.x, 0) / (points.length || 1),
    y: points.reduce((sum, point) => sum + point.y, 0) / (points.length || 1),
  };
  const near = (point: Point) => Math.hypot(point.x - middle.x, point.y - middle.y);
  const label = points.reduce((best, point) => (near(point) < near(best) - 0.01 ? point : best), points[0] ?? middle);
  return { shapes: [...shapes.values()], label };
}

// --- words --------------------------------------------------------------------------------------------------------------

const SEGMENT_KIND = { blue: 'blue', orange: 'orange', worm: 'worm', any: 'Beastly' } as const;

export function segmentWords(segment: Segment): string {
  return `${SEGMENT_KIND[segment.kind]} ${segment.role} ${segment.edges.map((edge) => EDGE_WORDS[edge]).join('-')}`;
}

export function faceWords(face: Face): string {
  const words = [
    `${face.bridge} bridge from ${bridgeCorners(face)
      .map((c) => CORNER_WORDS[CORNERS[c] ?? ''])
      .join(' to ')}`,
  ];
  words.push(...face.segments.map(segmentWords));
  if (face.ornament !== 'none') words.push(face.ornament === 'flower' ? 'a flower' : `a ${face.ornament} coin`);
  return words.join(', ');
}

export function slotWords(tile: Laid, slot: Slot): string {
  const face = faceOf(tile);
  if (slot === 'bridge') return `${face.bridge} bridge`;
  const corner = CORNERS.indexOf(slot as (typeof CORNERS)[number]);
  if (corner >= 0) return `${groundAt(face.parity, corner)}, ${CORNER_WORDS[slot]} corner`;
  const edge = EDGES.indexOf(slot as (typeof EDGES)[number]);
  const segment = face.segments.find((each) => each.edges.includes(edge));
  return segment ? `${SEGMENT_KIND[segment.kind]} ${segment.role}` : 'no beast';
}

export function spaces(view: MarramView, names: string[] = []): Space[] {
  const found: Space[] = [];
  const due = playedTile(view);
  const features = featuresOf(view).filter(claimed);
  const faces = new Map<string, Face>();
  const animals = (['fly', 'frog'] as const).flatMap((kind) => {
    const animal = view.position[kind];
    return animal ? [{ kind, key: placeKey(animal.at) }] : [];
  });
  for (const tile of view.position.laid) {
    const [x, y] = xy(tile.at);
    const key = placeKey(tile.at);
    const face = faceOf(tile);
    faces.set(key, face);
    if (tile === due) {
      const middle = at(x, y);
      for (const [slot, spot] of layoutOf(face).slots) {
        const feature = featureAt(view, tile, slot);
        const worth = feature ? `: ${featureWords(feature)}, ${leadWords(view, feature, names)}` : '';
        found.push({
          key: slotKey(slot),
          x: middle.x + spot.x,
          y: middle.y + spot.y,
          shape: SLOT,
          label: `Claim the ${slotWords(tile, slot)}${worth}`,
        });
      }
      continue;
    }
    const words = [`Tile at ${compassName(x, y)}: ${faceWords(face)}`];
    if (tile.flips) words.push(`${counted(tile.flips, 'flip')} left`);
    if (tile.claim) {
      const who = tile.claim.seat === view.seat ? 'your' : `${seatName(names, tile.claim.seat)}'s`;
      words.push(`${who} ${tile.claim.piece} on the ${slotWords(tile, tile.claim.on)}`);
    }
    for (const animal of animals) if (animal.key === key) words.push(`the ${animal.kind} is here`);
    for (const feature of features)
      if (onTile(feature, key)) words.push(`${featureWords(feature)}: ${leadWords(view, feature, names)}`);
    found.push({ key, ...at(x, y), name: compassName(x, y), label: words.join('; '), badge: { x: 0, y: 0 } });
  }
  for (const [x, y] of view.extra.open.map(xy)) {
    const wants = STEPS.flatMap(([dx, dy], edge) => {
      const beside = faces.get(placeKey([x + dx, y + dy]));
      if (!beside) return [];
      const segment = beside.segments.find((each) => each.edges.includes((edge + 2) % 4));
      return [`${segment ? BEASTS[segment.kind] : 'no beast'} to the ${EDGE_WORDS[edge]}`];
    });
    found.push({
      key: placeKey([x, y]),
      ...at(x, y),
      name: compassName(x, y),
      label: `Open space ${compassName(x, y)}, wants ${wants.join(', ')}`,
    });
  }
  return found;
}

export function frame(view: MarramView): Box {
  return boxOf(
    [...view.position.laid.map((tile) => tile.at), ...view.extra.open].map((where) => at(...xy(where))),
    SIZE / 2 + 14,
  );
}

// --- moves in words -----------------------------------------------------------------------------------------------------

export function attempt(view: MarramView, choice: Choice<MarramMove>, place: string): string | null {
  const { phase } = view.position;
  if (phase === 'claim') {
    if (!place.startsWith('on ')) return null;
    const slot = place.slice(3);
    const fork = view.position.options.variant !== 'classic' && (EDGES as readonly string[]).includes(slot);
    return `${fork ? 'fork' : 'boot'} ${slot}`;
  }
  if (phase !== 'move') return null;
  const tile = view.position.laid.find((each) => placeKey(each.at) === place);
  if (tile) return `flip ${place} ${1 - (tile.turn & 1)}`;
  const hand = view.seat === null ? [] : (view.position.seats[view.seat]?.hand ?? []);
  const piece = choice.piece !== null && /^\d+[ab]$/.test(choice.piece) ? choice.piece : `${hand[0] ?? 0}a`;
  const turn = parityOf(...readPlace(place)) ^ (piece.endsWith('b') ? 1 : 0);
  return `${piece}${turn}@${place}`;
}

export function prompt(view: MarramView, choice: Choice<MarramMove>): string {
  const { phase, move } = view.position;
  if (phase === 'claim') return 'Claim something on the tile you played, or leave it.';
  if (phase === 'fly guess') return 'A fly! How many hops until a blue snake eats it?';
  if (phase === 'frog guess') return 'A frog! How many hops until a blue snake eats it?';
  const which = move === 2 ? 'Your second move' : 'Your first move';
  if (choice.piece === FLIP && choice.pieces.some((piece) => /^\d/.test(piece)))
    return `${which}: choose a glowing tile to flip, or take a tile of your hand.`;
  if (choice.pieces.some((piece) => /^\d/.test(piece))) return `${which}: choose a side, then a glowing place.`;
  if (choice.pieces.includes('change')) return `${which}: none of your tiles fits. Change them, or flip a tile.`;
  return `${which}: flip a tile, or pass.`;
}

export function describe(view: MarramView, option: MoveOption<MarramMove>): string {
  const { move } = option;
  const gain = move.points ? ` for ${counted(move.points, 'point')}` : '';
  switch (move.kind) {
    case 'lay':
      return `Lay it here${gain}?`;
    case 'flip': {
      const tile = view.position.laid.find((each) => placeKey(each.at) === placeKey(move.at));
      const lost = tile?.claim ? ` The ${tile.claim.piece} on it leaves the game.` : '';
      return `Flip this tile for a spade card${gain}?${lost}`;
    }
    case 'claim': {
      const tile = playedTile(view);
      return `Put a ${move.piece} on the ${tile ? slotWords(tile, move.on) : move.on}${gain}?`;
    }
    case 'no claim':
      return `Claim nothing${gain}?`;
    case 'change':
      return 'Take your whole hand out of the game for fresh tiles?';
    case 'pass':
      return 'Pass?';
    case 'guess':
      return move.guess === 'escape' ? 'Say that it escapes?' : `Say ${counted(move.guess, 'hop')}?`;
    default:
      return sentence(move.words);
  }
}

/** The side in hand after a flip: the other side of the same tile if it is legal anywhere, else the next legal side. */
export function otherSide(choice: Pick<Choice, 'piece' | 'pieces'>): string | null {
  const sides = choice.pieces.filter((piece) => /^\d+[ab]$/.test(piece));
  if (choice.piece === null || !sides.includes(choice.piece)) return sides[0] ?? null;
  const other = choice.piece.slice(0, -1) + (choice.piece.endsWith('a') ? 'b' : 'a');
  return sides.includes(other) ? other : (sides[(sides.indexOf(choice.piece) + 1) % sides.length] ?? null);
}

/** Claims score when their feature is complete. */
export const unscored = (option: MoveOption<MarramMove>): string =>
  option.move.kind === 'claim'
    ? 'No points yet: it pays when it is complete.'
    : ['lay', 'flip'].includes(option.move.kind)
      ? 'It completes nothing yet.'
      : '';

const COMPLETE = new Set(['blue', 'orange', 'worm', 'freak', 'patch']);

/** "completes the …": the server's reason, without the pieces of a seat that was alone on the feature. */
export function lineWords(line: ScoreLine): string {
  if (!COMPLETE.has(line.rule)) return line.why || line.rule;
  const why = line.why.replace(/; [^,;]+ had (1|a|one) \w+$/, '');
  return `completes the ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}
