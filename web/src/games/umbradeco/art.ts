/** How Umbradeco is drawn: paving stones and umbrellas, seen from above. */
import { hexCorners, type Point } from '../../lib/board/geometry';
import { handDrawnOutline, noise } from '../../lib/board/handDrawn';
import { SIZE } from './layout';
import type { Colour } from './material';

export const SPACE = handDrawnOutline(hexCorners(SIZE - 3, 'flat'), 0.7);

const slabs = new Map<string, string>();

/** The outline of a paving stone at a position. */
export function slab(where: Point): string {
  const key = `${Math.round(where.x)},${Math.round(where.y)}`;
  let path = slabs.get(key);
  if (path === undefined) slabs.set(key, (path = handDrawnOutline(hexCorners(SIZE - 1.6, 'flat'), 1.3, where)));
  return path;
}

const RIBS = 8;

export const RADIUS = 38;

const show = (n: number) => String(Math.round(n * 10) / 10);

const polar = (radius: number, turn: number): string => {
  const angle = (turn / RIBS) * 2 * Math.PI - Math.PI / 2 + Math.PI / RIBS;
  return `${show(radius * Math.cos(angle))} ${show(radius * Math.sin(angle))}`;
};

/** The canopy: points at the ribs, and curved cloth between them. */
function canopy(radius: number, wobble: number): string {
  let path = `M${polar(radius, 0)}`;
  for (let i = 0; i < RIBS; i++) {
    path += `Q${polar(radius * (0.87 + wobble * (noise(i * 31) - 0.5)), i + 0.5)} ${polar(radius, i + 1)}`;
  }
  return `${path}Z`;
}

export const CANOPY = canopy(RADIUS, 0.04);

export const RIM = canopy(RADIUS * 0.8, 0.02);

export const RING = canopy(RADIUS * 0.56, 0.02);

export const RIB_LINES = Array.from({ length: RIBS }, (_, i) => `M${polar(3, i)}L${polar(RADIUS, i)}`).join('');

/** Every second field, for canopies of two tones. */
export const FIELDS = Array.from({ length: RIBS / 2 }, (_, i) => {
  const from = 2 * i;
  return `M0 0L${polar(RADIUS, from)}Q${polar(RADIUS * 0.87, from + 0.5)} ${polar(RADIUS, from + 1)}Z`;
}).join('');

export const SPOTS = [0, 1, 2, 3, 4, 5, 6, 7].map(
  (i) =>
    polar(RADIUS * 0.66, i + 0.5)
      .split(' ')
      .map(Number) as [number, number],
);

/** A highlight at the upper left. */
export const SHINE = `M${polar(RADIUS * 0.88, 6.6)}Q${polar(RADIUS * 0.9, 7.4)} ${polar(RADIUS * 0.84, 8)}`;

/** An emblem for each colour, the same as in the terminal. */
export const EMBLEMS: Record<Colour, string> = {
  red: 'M0 8.500C-9 1.5 -9.5 -3 -7.8 -5.600C-5.8 -8.4 -1.8 -7.8 0 -4.200C1.8 -7.8 5.8 -8.4 7.8 -5.600C9.5 -3 9 1.5 0 8.500Z',
  yellow: 'M0 -9.500L2.8 -3.200L9.3 -2.800L4.3 1.700L6 8.200L0 4.700L-6 8.200L-4.3 1.700L-9.3 -2.800L-2.8 -3.200Z',
  green:
    'M0 -9A4.4 4.4 0 0 1 3.7 -2A4.4 4.4 0 1 1 1.5 3.800L3 8.500H-3L-1.5 3.800A4.4 4.4 0 1 1 -3.7 -2A4.4 4.4 0 0 1 0 -9Z',
  blue: 'M0 -10L7 0L0 10L-7 0Z',
  violet:
    'M0 -2.400C-3.5 -6 -3 -9.6 0 -9.800C3 -9.6 3.5 -6 0 -2.400ZM2.3 -.7C3.5 -5.5 6.8 -7 8.9 -4.800C9.9 -2 7 .4 2.3 -.7ZM1.4 2C6 2.2 8 5 6.6 7.600C4.3 9.4 1.2 7 1.4 2ZM-1.4 2C-1.2 7 -4.3 9.4 -6.6 7.600C-8 5 -6 2.2 -1.4 2ZM-2.3 -.7C-7 .4 -9.9 -2 -8.9 -4.800C-6.8 -7 -3.5 -5.5 -2.3 -.7Z',
};
