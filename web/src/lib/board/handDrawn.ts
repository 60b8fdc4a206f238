/** Hand-drawn lines as SVG paths: slightly uneven, and always the same for the same seed. */
import type { Point } from './geometry';

/** A pseudo-random number from 0 to 1 that depends on the seed only. */
export function noise(seed: number): number {
  let h = (seed | 0) ^ 0x9e3779b9;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

export function seedFromText(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h | 0;
}

const show = (n: number) => String(Math.round(n * 100) / 100);

/** The seed of an edge: the same from either end, so that two tiles share one line. */
function edgeSeed(a: Point, b: Point): number {
  const x = Math.round((a.x + b.x) * 2);
  const y = Math.round((a.y + b.y) * 2);
  return Math.imul(x, 73856093) ^ Math.imul(y, 19349663);
}

/**
 * A closed outline through corners, each side slightly curved. `offset` is where the shape is on the board: a side that two shapes
 * share is curved the same way in both.
 */
export function handDrawnOutline(corners: readonly Point[], wobble: number, offset: Point = { x: 0, y: 0 }): string {
  const first = corners[0];
  if (!first) return '';
  let path = `M${show(first.x)} ${show(first.y)}`;
  corners.forEach((from, i) => {
    const to = corners[(i + 1) % corners.length] ?? first;
    const seed = edgeSeed({ x: from.x + offset.x, y: from.y + offset.y }, { x: to.x + offset.x, y: to.y + offset.y });
    const flipped = from.x + offset.x > to.x + offset.x + 0.01 || (Math.abs(from.x - to.x) < 0.02 && from.y > to.y);
    const [a, b] = flipped ? [to, from] : [from, to];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const nx = -(b.y - a.y) / length;
    const ny = (b.x - a.x) / length;
    const one = (noise(seed) - 0.5) * 2 * wobble;
    const two = -one * (0.5 + noise(seed + 1));
    const p = { x: a.x + (b.x - a.x) * 0.3 + nx * one, y: a.y + (b.y - a.y) * 0.3 + ny * one };
    const q = { x: a.x + (b.x - a.x) * 0.7 + nx * two, y: a.y + (b.y - a.y) * 0.7 + ny * two };
    const [c, d] = flipped ? [q, p] : [p, q];
    path += `C${show(c.x)} ${show(c.y)} ${show(d.x)} ${show(d.y)} ${show(to.x)} ${show(to.y)}`;
  });
  return `${path}Z`;
}

/** A closed irregular circle around 0,0. */
export function blob(radius: number, wobble: number, seed: number, points = 9): string {
  const ring: Point[] = [];
  for (let i = 0; i < points; i++) {
    const angle = (i / points) * 2 * Math.PI;
    const reach = radius + (noise(seed + i) - 0.5) * 2 * wobble;
    ring.push({ x: reach * Math.cos(angle), y: reach * Math.sin(angle) });
  }
  return smooth(ring);
}

/** A smooth closed line through points. */
export function smooth(ring: readonly Point[]): string {
  const at = (i: number) => ring[(i + ring.length) % ring.length] as Point;
  let path = `M${show(at(0).x)} ${show(at(0).y)}`;
  ring.forEach((_, i) => {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path += `C${show(from.x + (to.x - before.x) / 6)} ${show(from.y + (to.y - before.y) / 6)} ${show(to.x - (after.x - from.x) / 6)} ${show(to.y - (after.y - from.y) / 6)} ${show(to.x)} ${show(to.y)}`;
  });
  return `${path}Z`;
}
