/** Umbradeco's material: five colours of umbrellas, six directions, and mats of three sizes. */

export type Colour = 'red' | 'yellow' | 'green' | 'blue' | 'violet';

export type Direction = 'N' | 'NE' | 'SE' | 'S' | 'SW' | 'NW';

export const COLOURS: readonly Colour[] = ['red', 'yellow', 'green', 'blue', 'violet'];

export const DIRECTION_WORDS: Record<Direction, string> = {
  N: 'north',
  NE: 'north-east',
  SE: 'south-east',
  S: 'south',
  SW: 'south-west',
  NW: 'north-west',
};

export const STEPS: Record<Direction, readonly [number, number]> = {
  N: [0, -1],
  NE: [1, -1],
  SE: [1, 0],
  S: [0, 1],
  SW: [-1, 1],
  NW: [-1, 0],
};

export const SIDES = { small: 3, standard: 4, large: 5 } as const;

/** All spaces of a mat with `side` spaces on each side. */
export function matSpaces(side: number): [number, number][] {
  const found: [number, number][] = [];
  for (let q = 1 - side; q < side; q++)
    for (let r = 1 - side; r < side; r++) if (Math.abs(q + r) < side) found.push([q, r]);
  return found;
}
