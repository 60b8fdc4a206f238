/** How Marram is drawn: the ground, the outlines, and the colours of the seats. */
import type { Point } from '../../lib/board/geometry';
import { handDrawnOutline, noise } from '../../lib/board/handDrawn';
import { HALF } from './layout';
import { bridgeCorners, type Face, type Ground, groundAt, type Kind, SIGNS } from './material';

const show = (n: number) => String(Math.round(n * 100) / 100);

/** The line that separates a corner from the rest, from the middle of one edge to the middle of the next. */
function curve(corner: number, seed: number): { from: string; bow: string } {
  const [sx, sy] = SIGNS[corner] ?? [1, 1];
  const one = HALF * (1 - 0.5523 - (noise(seed + corner * 5) - 0.5) * 0.11);
  const two = HALF * (1 - 0.5523 - (noise(seed + corner * 5 + 1) - 0.5) * 0.11);
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

/** The region of the bridge: the whole tile without the separated corners. */
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
    const jitter = (n: number) => (noise(seed + corner * 17 + n) - 0.5) * 12;
    spots.push({ ground, x: sx * 36 + jitter(1), y: sy * 35 + jitter(2) });
    if (noise(seed + corner * 3) > 0.45) spots.push({ ground, x: sx * 21 + jitter(3), y: sy * 41 + jitter(4) / 2 });
    if (bridge.includes(corner) && noise(seed + corner * 3 + 2) > 0.3)
      spots.push({ ground, x: sx * 15 + jitter(5), y: sy * 13 + jitter(6) });
  });
  spots.forEach(({ ground, x, y }, i) => {
    const lean = (noise(seed + i * 29) - 0.5) * 5 + 2;
    const tall = 9 + noise(seed + i * 31) * 5;
    const [px, py] = [show(x), show(Math.max(-36, Math.min(46, y + 4)))];
    if (ground === 'grass')
      blades += `M${px} ${py}q${show(-2)} ${show(-tall * 0.6)} ${show(lean - 6)} ${show(-tall * 0.85)}M${px} ${py}q${show(0)} ${show(-tall * 0.7)} ${show(lean)} ${show(-tall)}M${px} ${py}q${show(1.5)} ${show(-tall * 0.5)} ${show(lean + 5)} ${show(-tall * 0.7)}`;
    else {
      const wide = 5 + noise(seed + i * 37) * 4;
      if (noise(seed + i * 41) > 0.4)
        ripples += `M${show(x - wide)} ${show(y)}q${show(wide / 2)} -3 ${show(wide)} 0t${show(wide)} 0`;
      for (let g = 0; g < 3; g++)
        grains.push({
          x: x + (noise(seed + i * 43 + g) - 0.5) * 22,
          y: y + (noise(seed + i * 47 + g) - 0.5) * 18,
        });
    }
  });
  return { blades, ripples, grains };
}

/** The width of each beast where it crosses an edge. */
export const THICK: Record<Kind, number> = { blue: 19, orange: 18, worm: 14, any: 18 };

const square = (half: number): Point[] => SIGNS.map(([sx, sy]) => ({ x: sx * half, y: sy * half }));

export const SPACE = handDrawnOutline(square(HALF - 3), 0.8);

const circle = (r: number) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;

/** The outline of a spot for a claim. */
export const SLOT = circle(16);

/** Each seat's colour, and the dashes of its ring for those who do not see the colour. */
export const SEATS = [
  { colour: '#b8244b', soft: '#e88aa2', dash: '', word: 'red' },
  { colour: '#5b3aa6', soft: '#a893de', dash: '7.2 4.3', word: 'violet' },
  { colour: '#0b7a75', soft: '#6cc4bd', dash: '0.1 5.75', word: 'teal' },
  { colour: '#3b2a1f', soft: '#a58d7c', dash: '17 6', word: 'brown' },
] as const;

export const seatOf = (seat: number) => SEATS[seat % SEATS.length] ?? SEATS[0];
