/** How Marram is drawn: ground in curves that flow from tile to tile, and beasts that crawl across the edges. */
import type { Point } from '../../lib/kit/geometry';
import { chance, inkOutline } from '../../lib/kit/ink';

export const SIZE = 100;
const HALF = SIZE / 2;

export type Ground = 'grass' | 'sand';
export type Kind = 'blue' | 'orange' | 'worm' | 'any';
export type Role = 'head' | 'tail' | 'end' | 'body' | 'saddle';
export type Ornament = 'none' | 'gold' | 'silver' | 'flower';
export type Slot = 'N' | 'E' | 'S' | 'W' | 'NW' | 'NE' | 'SE' | 'SW' | 'bridge';

export const EDGES = ['N', 'E', 'S', 'W'] as const;
export const EDGE_WORDS = ['north', 'east', 'south', 'west'] as const;
export const CORNERS = ['NW', 'NE', 'SE', 'SW'] as const;
export const CORNER_WORDS: Record<string, string> = {
  NW: 'north-west',
  NE: 'north-east',
  SE: 'south-east',
  SW: 'south-west',
};
export const STEPS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const;
/** Which way each corner lies from the middle of a tile. */
export const SIGNS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

export interface Segment {
  kind: Kind;
  role: Role;
  /** One or two edges, N E S W as 0 to 3, in that order. */
  edges: number[];
}

/** A tile as it lies, or as it would lie: all that is needed to draw it. */
export interface Face {
  /** 0 where the north-west corner is grass, 1 where it is sand. */
  parity: 0 | 1;
  bridge: Ground;
  segments: Segment[];
  ornament: Ornament;
}

/** The middle of the tile at x,y. */
export const at = (x: number, y: number): Point => ({ x: x * SIZE, y: y * SIZE });
/** A corner point: the north-west corner of the tile at x,y. */
export const vertexAt = (x: number, y: number): Point => ({ x: x * SIZE - HALF, y: y * SIZE - HALF });
export const parityOf = (x: number, y: number): 0 | 1 => ((((x + y) % 2) + 2) % 2 === 0 ? 0 : 1);

export function readSegment(text: string): Segment {
  const [kind, role, edges = ''] = text.split(' ');
  return {
    kind: kind as Kind,
    role: role as Role,
    edges: [0, 1, 2, 3].filter((edge) => edges.includes(EDGES[edge] ?? '?')),
  };
}

/** Turned clockwise by quarters. */
export function turned(segments: readonly Segment[], turns: number): Segment[] {
  return segments.map((segment) => ({
    ...segment,
    edges: segment.edges.map((edge) => (((edge + turns) % 4) + 4) % 4).sort((a, b) => a - b),
  }));
}

/** The two corners (0 NW to 3 SW) that the bridge joins; the other two are parted. */
export function bridgeCorners(face: Pick<Face, 'bridge' | 'parity'>): [number, number] {
  return (face.bridge === 'grass' ? 0 : 1) === face.parity ? [0, 2] : [1, 3];
}
export function partedCorners(face: Pick<Face, 'bridge' | 'parity'>): [number, number] {
  return bridgeCorners(face)[0] === 0 ? [1, 3] : [0, 2];
}
export const groundAt = (parity: 0 | 1, corner: number): Ground => ((corner + parity) % 2 === 0 ? 'grass' : 'sand');

const show = (n: number) => String(Math.round(n * 100) / 100);

// --- ground -------------------------------------------------------------------------------------------------------------

/** The line that parts a corner from the rest: from the middle of one edge to the middle of the next, at right angles. */
function curve(corner: number, seed: number): { from: string; bow: string } {
  const [sx, sy] = SIGNS[corner] ?? [1, 1];
  const one = HALF * (1 - 0.5523 - (chance(seed + corner * 5) - 0.5) * 0.11);
  const two = HALF * (1 - 0.5523 - (chance(seed + corner * 5 + 1) - 0.5) * 0.11);
  return {
    from: `${0} ${show(sy * HALF)}`,
    bow: `C0 ${show(sy * one)} ${show(sx * two)} 0 ${show(sx * HALF)} 0`,
  };
}

export function cornerLine(corner: number, seed: number): string {
  const { from, bow } = curve(corner, seed);
  return `M${from}${bow}`;
}

export function cornerRegion(corner: number, seed: number): string {
  const [sx, sy] = SIGNS[corner] ?? [1, 1];
  const { from, bow } = curve(corner, seed);
  return `M${from}${bow}L${sx * HALF} ${sy * HALF}Z`;
}

export const SQUARE = `M${-HALF} ${-HALF}H${HALF}V${HALF}H${-HALF}Z`;

/** The bridge: the whole tile but for the parted corners. */
export function bridgeRegion(parted: readonly number[], seed: number): string {
  return parted.includes(0)
    ? `M0 ${-HALF}${curve(0, seed).bow}V${HALF}H0${backTo(2, seed)}V${-HALF}Z`
    : `M0 ${-HALF}${curve(1, seed).bow}V${HALF}H0${backTo(3, seed)}V${-HALF}Z`;
}
function backTo(corner: number, seed: number): string {
  return curve(corner, seed).bow;
}

export const seedAt = (where: Point): number =>
  Math.imul(Math.round(where.x) + 7, 73856093) ^ Math.imul(Math.round(where.y) + 3, 19349663);

/** Blades of marram grass and ripples of sand, one path each. */
export function texture(face: Face, seed: number): { blades: string; ripples: string; grains: Point[] } {
  let blades = '';
  let ripples = '';
  const grains: Point[] = [];
  const bridge = bridgeCorners(face);
  const spots: { ground: Ground; x: number; y: number }[] = [];
  SIGNS.forEach(([sx, sy], corner) => {
    const ground = groundAt(face.parity, corner);
    const jitter = (n: number) => (chance(seed + corner * 17 + n) - 0.5) * 12;
    spots.push({ ground, x: sx * 36 + jitter(1), y: sy * 35 + jitter(2) });
    if (chance(seed + corner * 3) > 0.45) spots.push({ ground, x: sx * 21 + jitter(3), y: sy * 41 + jitter(4) / 2 });
    if (bridge.includes(corner) && chance(seed + corner * 3 + 2) > 0.3)
      spots.push({ ground, x: sx * 15 + jitter(5), y: sy * 13 + jitter(6) });
  });
  spots.forEach(({ ground, x, y }, i) => {
    const lean = (chance(seed + i * 29) - 0.5) * 5 + 2;
    const tall = 9 + chance(seed + i * 31) * 5;
    const [px, py] = [show(x), show(Math.max(-36, Math.min(46, y + 4)))];
    if (ground === 'grass')
      blades += `M${px} ${py}q${show(-2)} ${show(-tall * 0.6)} ${show(lean - 6)} ${show(-tall * 0.85)}M${px} ${py}q${show(0)} ${show(-tall * 0.7)} ${show(lean)} ${show(-tall)}M${px} ${py}q${show(1.5)} ${show(-tall * 0.5)} ${show(lean + 5)} ${show(-tall * 0.7)}`;
    else {
      const wide = 5 + chance(seed + i * 37) * 4;
      if (chance(seed + i * 41) > 0.4)
        ripples += `M${show(x - wide)} ${show(y)}q${show(wide / 2)} -3 ${show(wide)} 0t${show(wide)} 0`;
      for (let g = 0; g < 3; g++)
        grains.push({
          x: x + (chance(seed + i * 43 + g) - 0.5) * 22,
          y: y + (chance(seed + i * 47 + g) - 0.5) * 18,
        });
    }
  });
  return { blades, ripples, grains };
}

// --- beasts -------------------------------------------------------------------------------------------------------------

/** How thick each beast is where it crosses an edge. */
export const THICK: Record<Kind, number> = { blue: 19, orange: 18, worm: 14, any: 18 };

/** The middle line of a segment: a path around 0,0, how far to turn it, and its length in steps of the pattern. */
export function spine(segment: Segment, tip: number): { path: string; turn: number; length: number } {
  const [a = 0, b] = segment.edges;
  if (b === undefined) return { path: `M0 -50.4V${tip}`, turn: a * 90, length: tip + 50 };
  if (b - a === 2) return { path: 'M0 -50.4C0 -34 9 -17 0 0S0 34 0 50.4', turn: a * 90, length: 100 };
  const start = a === 0 && b === 3 ? 3 : a;
  return { path: 'M0 -50.4C0 -21 21 0 50.4 0', turn: start * 90, length: 80 };
}

/** How far an end reaches in from its edge: past the middle where it is alone, and short of it in company. */
export function tipOf(face: Pick<Face, 'segments'>): number {
  return face.segments.length > 1 ? -13 : 9;
}

function spun(x: number, y: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle) };
}

/** Points along a segment, for finding room beside it. */
export function along(segment: Segment, tip: number): Point[] {
  const { turn } = spine(segment, tip);
  const [a = 0, b] = segment.edges;
  const steps = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1];
  if (b === undefined) return steps.map((t) => spun(0, -50 + (tip + 50) * t, turn));
  if (b - a === 2) return steps.map((t) => spun(0, -50 + 100 * t, turn));
  return steps.map((t) => {
    const angle = (t * Math.PI) / 2;
    return spun(50 - 50 * Math.cos(angle), -50 + 50 * Math.sin(angle), turn);
  });
}

// --- where things stand on a tile ---------------------------------------------------------------------------------------

export interface Layout {
  slots: Map<Slot, Point>;
  ornament: Point;
  ring: Point;
  animal: Point;
}

const far = (spot: Point, others: readonly Point[]): number =>
  Math.min(99, ...others.map((other) => Math.hypot(spot.x - other.x, spot.y - other.y)));

function roomiest(candidates: readonly Point[], room: (spot: Point) => number, enough = Infinity): Point {
  let best = candidates[0] ?? { x: 0, y: 0 };
  let most = -Infinity;
  for (const spot of candidates) {
    const found = room(spot);
    if (found >= enough) return spot;
    if (found > most + 0.01) [best, most] = [spot, found];
  }
  return best;
}

const layouts = new Map<string, Layout>();

export function layoutOf(face: Face): Layout {
  const key = `${face.parity}${face.bridge}${face.ornament}${face.segments.map((s) => s.role + s.edges.join('')).join('|')}`;
  const known = layouts.get(key);
  if (known) return known;
  const tip = tipOf(face);
  const beasts = face.segments.flatMap((segment) => along(segment, tip));
  const slots = new Map<Slot, Point>();
  for (const segment of face.segments) {
    const points = along(segment, tip);
    const alone = segment.edges.length === 1;
    const spot = points[alone ? (face.segments.length > 1 ? 3 : 4) : 4] ?? { x: 0, y: 0 };
    slots.set(EDGES[segment.edges[0] ?? 0] ?? 'N', spot);
  }
  for (const corner of partedCorners(face)) {
    const [sx, sy] = SIGNS[corner] ?? [1, 1];
    slots.set(CORNERS[corner] ?? 'NW', { x: sx * 32, y: sy * 32 });
  }
  const [first] = bridgeCorners(face);
  const [dx, dy] = SIGNS[first] ?? [1, 1];
  const line = (...steps: number[]) => steps.map((step) => ({ x: dx * step, y: dy * step }));
  const bridge = roomiest(line(0, -16, 16, -30, 30, -36, 36), (spot) => far(spot, beasts), 23);
  slots.set('bridge', bridge);
  const taken = [...slots.values()];
  const ornament = roomiest(line(-33, 33, -24, 24), (spot) => Math.min(far(spot, beasts), far(spot, [bridge])), 26);
  const rim = [{ x: 0, y: 37 }, { x: 37, y: 0 }, { x: -37, y: 0 }, { x: 0, y: -37 }, ...line(0, 16, -16, 38, -38)];
  const ring = roomiest(rim, (spot) => Math.min(far(spot, beasts), far(spot, taken), far(spot, [ornament])), 22);
  const animal = roomiest(
    [
      { x: 0, y: -20 },
      { x: 20, y: 0 },
      { x: -20, y: 0 },
      { x: 0, y: 20 },
    ],
    (spot) => far(spot, beasts),
  );
  const found = { slots, ornament, ring, animal };
  layouts.set(key, found);
  return found;
}

// --- outlines -----------------------------------------------------------------------------------------------------------

const square = (half: number): Point[] => SIGNS.map(([sx, sy]) => ({ x: sx * half, y: sy * half }));
export const SPACE = inkOutline(square(HALF - 3), 0.8);
const circle = (r: number) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;
/** A place for a claim on a tile. */
export const SLOT = circle(16);

// --- seats --------------------------------------------------------------------------------------------------------------

/** Each seat's colour, and how its ring is dashed: told apart without colour too. */
export const SEATS = [
  { colour: '#b8244b', soft: '#e88aa2', dash: '', word: 'red' },
  { colour: '#5b3aa6', soft: '#a893de', dash: '7.2 4.3', word: 'violet' },
  { colour: '#0b7a75', soft: '#6cc4bd', dash: '0.1 5.75', word: 'teal' },
  { colour: '#3b2a1f', soft: '#a58d7c', dash: '17 6', word: 'brown' },
] as const;
export const seatOf = (seat: number) => SEATS[seat % SEATS.length] ?? SEATS[0];
