/** Guppies' tiles: the halves of fish on their six edges. */

export type Colour = 'green' | 'orange' | 'purple';

export const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
] as const;

export const EDGE_WORDS = ['east', 'south-east', 'south-west', 'west', 'north-west', 'north-east'] as const;

const COLOURS: Record<string, Colour> = { g: 'green', o: 'orange', p: 'purple' };

export interface Half {
  edge: number;
  colour: Colour;
  part: 'head' | 'tail';
}

export function letterAt(face: string, edge: number): string {
  return face === 'SQUID' ? '.' : (face[edge] ?? '.');
}

export function halvesOf(face: string): Half[] {
  const halves: Half[] = [];
  for (let edge = 0; edge < 6; edge++) {
    const letter = letterAt(face, edge);
    const colour = COLOURS[letter.toLowerCase()];
    if (colour) halves.push({ edge, colour, part: letter === letter.toUpperCase() ? 'head' : 'tail' });
  }
  return halves;
}

export function letterWords(letter: string): string {
  const colour = COLOURS[letter.toLowerCase()];
  return colour ? `${colour} ${letter === letter.toUpperCase() ? 'head' : 'tail'}` : 'water';
}

/** The face turned clockwise: edge i becomes edge i + turn. */
export function turned(face: string, turn: number): string {
  if (face === 'SQUID') return face;
  const by = ((turn % 6) + 6) % 6;
  return face.slice(6 - by) + face.slice(0, 6 - by);
}
