/** Where Marram's tiles are, and where segments, claims and ornaments are on a tile. */
import type { Point } from '../../lib/board/geometry';
import { bridgeCorners, CORNERS, EDGES, type Face, partedCorners, type Segment, SIGNS, type Slot } from './material';

export const SIZE = 100;

export const HALF = SIZE / 2;

/** The middle of the tile at x,y. */
export const at = (x: number, y: number): Point => ({ x: x * SIZE, y: y * SIZE });

/** A corner point: the north-west corner of the tile at x,y. */
export const vertexAt = (x: number, y: number): Point => ({ x: x * SIZE - HALF, y: y * SIZE - HALF });

/** The middle line of a segment: a path around 0,0, its rotation, and its length in units of the pattern. */
export function spine(segment: Segment, tip: number): { path: string; turn: number; length: number } {
  const [a = 0, b] = segment.edges;
  if (b === undefined) return { path: `M0 -50.4V${tip}`, turn: a * 90, length: tip + 50 };
  if (b - a === 2) return { path: 'M0 -50.4C0 -34 9 -17 0 0S0 34 0 50.4', turn: a * 90, length: 100 };
  const start = a === 0 && b === 3 ? 3 : a;
  return { path: 'M0 -50.4C0 -21 21 0 50.4 0', turn: start * 90, length: 80 };
}

/** Where an end of a beast stops: past the middle of the tile if it is alone there, before the middle otherwise. */
export function tipOf(face: Pick<Face, 'segments'>): number {
  return face.segments.length > 1 ? -13 : 9;
}

function spun(x: number, y: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle) };
}

/** Points along a segment, to find free space beside it. */
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
