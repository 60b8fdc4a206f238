/** How Guppies' tiles and fish are drawn: every half of a fish continues any other half across an edge. */
import { hexCorners, type Point } from '../../lib/board/geometry';
import { handDrawnOutline } from '../../lib/board/handDrawn';
import { REACH, SIZE } from './layout';
import type { Colour } from './material';

/** The body colours of the fish. */
export const BODY: Record<Colour, string> = { green: '#7fb56c', orange: '#f0934a', purple: '#a487cf' };

const corners = hexCorners(SIZE, 'pointy');

const outlines = new Map<string, string>();

/** The outline of a tile at a position: neighbours share their hand-drawn lines. */
export function outline(where: Point = { x: 0, y: 0 }): string {
  const key = `${Math.round(where.x)},${Math.round(where.y)}`;
  let path = outlines.get(key);
  if (path === undefined) outlines.set(key, (path = handDrawnOutline(corners, 1.5, where)));
  return path;
}

/** The outline of an open space, a little smaller than a tile. */
export const SPACE = handDrawnOutline(hexCorners(SIZE - 4, 'pointy'), 0.8);

const E = REACH + 0.5;

/**
 * Halves, drawn along the x axis: the middle of the tile at 0, the middle of the edge at REACH. Every half is equally
 * tall at the edge and leaves it at the same slope, so any head continues any tail.
 */
const HEAD = {
  body: `M${E} -12.8C43 -15.3 25 -15 15.5 -4.5Q12.8 -1.5 13.2 1.2Q14 3.5 16.5 5.5C26 14.8 43 15.3 ${E} 12.8Z`,
  line: `M${E} -12.8C43 -15.3 25 -15 15.5 -4.5Q12.8 -1.5 13.2 1.2Q14 3.5 16.5 5.5C26 14.8 43 15.3 ${E} 12.8`,
  belly: `M${E} 4C42 8 28 8 17 4.5C26 14.3 43 15 ${E} 12.5Z`,
  fins: 'M47 -14.2C44 -20 36 -21 29.5 -20.5C32 -17.5 31 -15.5 29 -13.6Z',
  face: 'M28.5 -8.5C32 -3 32 3.5 28.5 8.5M14 1.8Q16.5 2.8 18.8 1.4',
  arm: 'M35.5 3.5C40 4 44.5 8 43.5 10.5C40 10.5 36 8.5 35.5 3.5Z',
} as const;

const TAILS: Record<Colour, { body: string; line: string; fin: string; rays: string }> = {
  // forked
  green: {
    body: `M${E} -12.8C44.5 -11 36 -7 29 -3.6L29 3.6C36 7 44.5 11 ${E} 12.8Z`,
    line: `M${E} -12.8C44.5 -11 36 -7 29 -3.6M29 3.6C36 7 44.5 11 ${E} 12.8`,
    fin: 'M30.5 -3.6C24 -4.5 18 -8 12.5 -7.2C13.5 -3.5 17.5 -1.5 20.5 0C17.5 1.5 13.5 3.5 12.5 7.2C18 8 24 4.5 30.5 3.6Z',
    rays: 'M26 -2L17.5 -5.2M26 2L17.5 5.2',
  },
  // round
  orange: {
    body: `M${E} -12.8C44.5 -11 36 -7 29 -3.6L29 3.6C36 7 44.5 11 ${E} 12.8Z`,
    line: `M${E} -12.8C44.5 -11 36 -7 29 -3.6M29 3.6C36 7 44.5 11 ${E} 12.8`,
    fin: 'M30.5 -3.6C25 -8.5 18 -9 14.5 -5.5C12.2 -2.5 12.2 2.5 14.5 5.5C18 9 25 8.5 30.5 3.6Z',
    rays: 'M26 -2.5L17 -4.2M26.5 0L15.8 0M26 2.5L17 4.2',
  },
  // flowing
  purple: {
    body: `M${E} -12.8C44.5 -11 36 -7 29 -3.6L29 3.6C36 7 44.5 11 ${E} 12.8Z`,
    line: `M${E} -12.8C44.5 -11 36 -7 29 -3.6M29 3.6C36 7 44.5 11 ${E} 12.8`,
    fin: 'M30.5 -3.6C26 -9 21 -9.5 15.5 -7.5C17.5 -5 15 -3.8 12 -2.8C14.5 -.8 14.5 1 12 3C15 3.8 17.5 5.2 15.5 7.8C21 9.5 26 9 30.5 3.6Z',
    rays: 'M26.5 -2.8L18.5 -4.8M26.5 .2L16.5 0M26.5 2.8L18.5 5',
  },
};

const dots = (...spots: [number, number, number][]): string =>
  spots.map(([x, y, r]) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`).join('');

/** Patterns for those who do not see the colours: green has stripes, purple has dots, orange is plain. */
const PATTERNS: Record<Colour, { head: string; tail: string; headDots: string; tailDots: string }> = {
  green: {
    head: 'M36 -14.2C38.5 -6 38.5 6 36 14.2M43 -14.2C45 -6 45 6 43 14.2M49.5 -13.2C51.2 -6 51.2 6 49.5 13.2',
    tail: 'M44.5 -10.2C46 -5 46 5 44.5 10.2M37.5 -7C38.8 -3 38.8 3 37.5 7',
    headDots: '',
    tailDots: '',
  },
  orange: { head: '', tail: '', headDots: '', tailDots: '' },
  purple: {
    head: '',
    tail: '',
    headDots: dots([36.5, -8, 2.3], [43, -3.5, 2.5], [47.5, -9.5, 2.1], [49, 4, 2.3], [37.5, 0.5, 1.8]),
    tailDots: dots([46.5, -5.5, 2.4], [45.5, 4.8, 2.2], [38.5, -0.2, 2.1]),
  },
};

export const drawn = { HEAD, TAILS, PATTERNS };
