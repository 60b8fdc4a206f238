/** Plane geometry: hexagons, squares, boxes, and the neighbour of a space in a direction. */

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The key of a space: [1, -1] in events and moves is "1,-1" on the board. */
export function placeKey(where: unknown): string {
  return Array.isArray(where) ? where.join(',') : String(where);
}

const ROOT3 = Math.sqrt(3);

/** Pointy-top hexagon centres by axial coordinates; `size` is from centre to corner. */
export function pointyHex(q: number, r: number, size: number): Point {
  return { x: size * ROOT3 * (q + r / 2), y: size * 1.5 * r };
}

/** Flat-top hexagon centres. */
export function flatHex(q: number, r: number, size: number): Point {
  return { x: size * 1.5 * q, y: size * ROOT3 * (r + q / 2) };
}

export function square(column: number, row: number, size: number): Point {
  return { x: column * size, y: row * size };
}

/** The short name of a space on an unbounded board: its distance from the first tile, such as "N2 E1"; "start" is the first tile. */
export function compassName(east: number, south: number): string {
  const words = [];
  if (south) words.push(`${south < 0 ? 'N' : 'S'}${Math.abs(south)}`);
  if (east) words.push(`${east < 0 ? 'W' : 'E'}${Math.abs(east)}`);
  return words.join(' ') || 'start';
}

/** The same for pointy-top hexagons, whose rows are shifted by half a space: every second one begins half a space further east. */
export const hexCompassName = (q: number, r: number): string => compassName(q + Math.floor(r / 2), r);

/** The corners of a hexagon around 0,0. For a pointy top, edge 0 (east) runs from corner 0 to corner 1, clockwise. */
export function hexCorners(size: number, kind: 'pointy' | 'flat'): Point[] {
  const start = kind === 'pointy' ? -30 : 0;
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = ((start + 60 * i) * Math.PI) / 180;
    return { x: size * Math.cos(angle), y: size * Math.sin(angle) };
  });
}

export function boxOf(points: Iterable<Point>, margin: number): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  if (left > right) return { x: -margin, y: -margin, width: 2 * margin, height: 2 * margin };
  return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}

/** The largest coordinate of an outline around 0,0. */
export function reachOf(path: string): number {
  const known = reaches.get(path);
  if (known !== undefined) return known;
  // The radii and flags of an arc are not coordinates, but none is larger than the arc's end point.
  const far = Math.max(0, ...(path.match(/-?\d+(\.\d+)?/g) ?? []).map((number) => Math.abs(Number(number))));
  reaches.set(path, far);
  return far;
}
const reaches = new Map<string, number>();

/** The position of a mark at the edge of a window that points at something outside, and its direction in degrees. */
export function edgeToward(
  size: { width: number; height: number },
  target: Point,
  margin: number,
): Point & { angle: number } {
  const middle = { x: size.width / 2, y: size.height / 2 };
  const dx = target.x - middle.x;
  const dy = target.y - middle.y;
  const half = { x: Math.max(1, middle.x - margin), y: Math.max(1, middle.y - margin) };
  const part = Math.min(1, half.x / (Math.abs(dx) || 0.001), half.y / (Math.abs(dy) || 0.001));
  return {
    x: middle.x + dx * part,
    y: middle.y + dy * part,
    angle: Math.round((Math.atan2(dy, dx) * 180) / Math.PI),
  };
}

export type Heading = 'left' | 'right' | 'up' | 'down';

const HEADINGS: Record<Heading, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** The nearest space in a direction, where distance to the side costs more than distance ahead. Null at the edge. */
export function neighbour<T extends Point>(spaces: readonly T[], from: Point, heading: Heading): T | null {
  const way = HEADINGS[heading];
  let best: T | null = null;
  let least = Infinity;
  for (const space of spaces) {
    const dx = space.x - from.x;
    const dy = space.y - from.y;
    const along = dx * way.x + dy * way.y;
    const aside = Math.abs(dx * way.y) + Math.abs(dy * way.x);
    if (along <= 0.01 || aside > along * 1.8) continue;
    const cost = along + 1.5 * aside;
    if (cost < least - 0.001) {
      least = cost;
      best = space;
    }
  }
  return best;
}

/** Spaces in rows from top to bottom, each from left to right: the order in which a screen reader reads them. */
export function rowsOf<T extends Point>(spaces: readonly T[]): T[][] {
  const rows = new Map<number, T[]>();
  for (const space of spaces) {
    const line = Math.round(space.y);
    const row = rows.get(line);
    if (row) row.push(space);
    else rows.set(line, [space]);
  }
  return [...rows.entries()].sort(([a], [b]) => a - b).map(([, row]) => row.sort((a, b) => a.x - b.x));
}
