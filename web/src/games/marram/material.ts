/** Marram's tiles: ground at the corners, a bridge between two of them, and segments of beasts from edge to edge. */

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

/** The direction of each corner from the middle of a tile. */
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

/** A tile in its orientation: everything that is needed to draw it. */
export interface Face {
  /** 0 where the north-west corner is grass, 1 where it is sand. */
  parity: 0 | 1;
  bridge: Ground;
  segments: Segment[];
  ornament: Ornament;
}

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

/** The two corners (0 NW to 3 SW) that the bridge joins; the other two are separated. */
export function bridgeCorners(face: Pick<Face, 'bridge' | 'parity'>): [number, number] {
  return (face.bridge === 'grass' ? 0 : 1) === face.parity ? [0, 2] : [1, 3];
}

export function partedCorners(face: Pick<Face, 'bridge' | 'parity'>): [number, number] {
  return bridgeCorners(face)[0] === 0 ? [1, 3] : [0, 2];
}

export const groundAt = (parity: 0 | 1, corner: number): Ground => ((corner + parity) % 2 === 0 ? 'grass' : 'sand');
