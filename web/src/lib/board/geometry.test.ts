import { describe, expect, it } from 'vitest';
import {
  boxOf,
  compassName,
  edgeToward,
  flatHex,
  hexCompassName,
  hexCorners,
  neighbour,
  placeKey,
  pointyHex,
  reachOf,
  rowsOf,
} from './geometry';
import { handDrawnOutline } from './handDrawn';

const grid = [-1, 0, 1].flatMap((q) => [-1, 0, 1].map((r) => ({ key: placeKey([q, r]), ...pointyHex(q, r, 10) })));
const at = (key: string) => grid.find((space) => space.key === key) ?? { x: 0, y: 0 };

describe('places', () => {
  it('has one key for a place however it is written', () => {
    expect(placeKey([1, -1])).toBe('1,-1');
    expect(placeKey('b2')).toBe('b2');
  });

  it('puts hexagons edge to edge', () => {
    expect(pointyHex(1, 0, 10).x).toBeCloseTo(17.32, 2);
    expect(flatHex(0, 1, 10).y).toBeCloseTo(17.32, 2);
    expect(hexCorners(10, 'pointy')[0]?.x).toBeCloseTo(8.66, 2);
  });

  it('boxes points with a margin, and nothing with a margin around nothing', () => {
    expect(
      boxOf(
        [
          { x: 1, y: 2 },
          { x: 5, y: 4 },
        ],
        1,
      ),
    ).toEqual({ x: 0, y: 1, width: 6, height: 4 });
    expect(boxOf([], 3)).toEqual({ x: -3, y: -3, width: 6, height: 6 });
  });
});

describe('walking', () => {
  it('goes to the nearest space that way, and stays at the rim', () => {
    expect(neighbour(grid, at('0,0'), 'right')?.key).toBe('1,0');
    expect(neighbour(grid, at('0,0'), 'left')?.key).toBe('-1,0');
    expect(['0,-1', '1,-1']).toContain(neighbour(grid, at('0,0'), 'up')?.key);
    expect(neighbour(grid, at('1,1'), 'right')).toBeNull();
  });

  it('reaches every space from every other', () => {
    const seen = new Set(['0,0']);
    const todo = [at('0,0')];
    for (let here = todo.pop(); here; here = todo.pop())
      for (const way of ['left', 'right', 'up', 'down'] as const) {
        const next = neighbour(grid, here, way);
        if (next && !seen.has(next.key)) {
          seen.add(next.key);
          todo.push(next);
        }
      }
    expect(seen.size).toBe(grid.length);
  });

  it('reads a board row by row', () => {
    expect(rowsOf(grid).map((row) => row.map((space) => space.key))[0]).toEqual(['-1,-1', '0,-1', '1,-1']);
  });
});

describe('ink', () => {
  it('draws the same line every time, and one line for two neighbours', () => {
    const corners = hexCorners(60, 'pointy');
    expect(handDrawnOutline(corners, 2)).toBe(handDrawnOutline(corners, 2));
    expect(handDrawnOutline(corners, 2, { x: 0, y: 0 })).not.toBe(handDrawnOutline(corners, 2, pointyHex(1, 0, 60)));
  });
});

describe('marks and names', () => {
  it('knows how far an outline reaches', () => {
    expect(reachOf('M-50 -30H50V30Z')).toBe(50);
    expect(reachOf('')).toBe(0);
  });
  it('stands at the rim of a window and points at what is outside', () => {
    const window = { width: 400, height: 300 };
    expect(edgeToward(window, { x: 4000, y: 150 }, 30)).toEqual({ x: 370, y: 150, angle: 0 });
    expect(edgeToward(window, { x: 200, y: -900 }, 30)).toEqual({ x: 200, y: 30, angle: -90 });
    const corner = edgeToward(window, { x: -4000, y: 4000 }, 30);
    expect(corner.x).toBeGreaterThanOrEqual(30);
    expect(corner.y).toBeLessThanOrEqual(270);
    expect(corner.angle).toBe(137);
  });
  it('calls places by how far they lie from the first tile', () => {
    expect([compassName(0, 0), compassName(3, 0), compassName(-2, 4), compassName(1, -1)]).toEqual([
      'start',
      'E3',
      'S4 W2',
      'N1 E1',
    ]);
  });
  it('gives every hexagon a name of its own, and rows that run straight', () => {
    const all = [];
    for (let q = -6; q <= 6; q++) for (let r = -6; r <= 6; r++) all.push(hexCompassName(q, r));
    expect(new Set(all).size).toBe(all.length);
    expect([hexCompassName(0, -2), hexCompassName(-1, 2), hexCompassName(0, 1), hexCompassName(0, -1)]).toEqual([
      'N2 W1',
      'S2',
      'S1',
      'N1 W1',
    ]);
  });
});
