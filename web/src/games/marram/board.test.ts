import { describe, expect, it } from 'vitest';
import { choose, NO_SELECTION } from '../../lib/board/selection';
import {
  attempt,
  CLAIM,
  options,
  featureAt,
  featuresOf,
  flippedFace,
  ghostOf,
  leadWords,
  lineWords,
  otherSide,
  shapesOf,
  sideOf,
  spaces,
  startPiece,
  type MarramMove,
  type MarramView,
} from './board';
import { diagrams } from './diagrams';
import { along, layoutOf } from './layout';
import { bridgeCorners, groundAt, partedCorners, readSegment, turned, type Face } from './material';

const view = (): MarramView => structuredClone(diagrams[1]?.view as MarramView);
const lay = (tile: number, face: 'a' | 'b', turn: number, at: number[], points = 0): MarramMove => ({
  kind: 'lay',
  tile,
  face,
  turn,
  at,
  points,
  words: '',
  move: `${tile}${face}${turn}@${at.join(',')}`,
});

describe('tiles', () => {
  it('reads segments and turns them clockwise', () => {
    expect(readSegment('blue body NW')).toEqual({ kind: 'blue', role: 'body', edges: [0, 3] });
    expect(turned([readSegment('worm end W')], 1)[0]?.edges).toEqual([0]);
    expect(turned([readSegment('blue body NE')], 3)[0]?.edges).toEqual([0, 3]);
  });

  it('joins the corners of the bridge and parts the others', () => {
    for (const parity of [0, 1] as const)
      for (const bridge of ['grass', 'sand'] as const) {
        const face = { parity, bridge };
        expect(bridgeCorners(face).map((corner) => groundAt(parity, corner))).toEqual([bridge, bridge]);
        expect([...bridgeCorners(face), ...partedCorners(face)].sort()).toEqual([0, 1, 2, 3]);
      }
  });

  it('shows the back of a tile with its own bridge, and a quarter turn changes which corners are grass', () => {
    const tile = {
      tile: 1,
      spade: true,
      segments: ['blue head N'],
      bridges: ['grass', 'sand'],
      ornaments: ['gold', 'none'],
    } as never;
    expect(sideOf(tile, 'a', 0)).toMatchObject({ parity: 0, bridge: 'grass', ornament: 'gold' });
    expect(sideOf(tile, 'b', 0)).toMatchObject({ parity: 1, bridge: 'sand', ornament: 'none' });
    expect(sideOf(tile, 'a', 1)).toMatchObject({ parity: 1, segments: [{ edges: [1] }] });
  });

  it('flips a laid tile to the other ground and turns its beasts', () => {
    const flipped = flippedFace(
      { at: [0, 0], turn: 1, bridge: 'grass', segments: ['orange end E'], flips: 1, reverse_ornament: 'flower' },
      2,
    );
    expect(flipped).toMatchObject({ bridge: 'sand', ornament: 'flower', segments: [{ edges: [2] }] });
  });

  it('finds a spot of its own for everything on a tile', () => {
    const kinds = [
      [],
      ['blue head N'],
      ['blue body NS', 'worm end E'],
      ['orange body NE', 'orange body SW'],
      ['blue body NE', 'orange end S', 'worm end W'],
      ['worm saddle NE', 'blue head S', 'orange end W'],
    ];
    for (const segments of kinds)
      for (const parity of [0, 1] as const)
        for (const bridge of ['grass', 'sand'] as const) {
          const face: Face = { parity, bridge, segments: segments.map(readSegment), ornament: 'gold' };
          const spots = [...layoutOf(face).slots.values()];
          expect(spots).toHaveLength(3 + segments.length);
          spots.forEach((a, i) =>
            spots.slice(i + 1).forEach((b) => expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(20)),
          );
        }
  });

  it('lets a beast leave a tile in the middle of its edges', () => {
    const ends = along(readSegment('blue body SW'), 0);
    expect(ends[0]?.y).toBeCloseTo(50);
    expect(ends[0]?.x).toBeCloseTo(0);
    expect(ends.at(-1)?.x).toBeCloseTo(-50);
  });
});

describe('choosing', () => {
  const moves = [
    lay(17, 'b', 1, [1, -1]),
    lay(17, 'a', 0, [0, -1], 3),
    lay(5, 'a', 0, [1, -1]),
    { kind: 'flip', at: [0, 0], turn: 1, move: 'flip 0,0 1', words: '' } as MarramMove,
  ];
  it('makes a piece of each side, and of the spade', () => {
    const all = options(view(), moves);
    expect(choose(all, NO_SELECTION).pieces).toEqual(['5a', '17a', '17b', 'flip']);
    expect(startPiece(view(), all)).toBe('17a');
    expect([...choose(all, { ...NO_SELECTION, piece: 'flip' }).places.keys()]).toEqual(['0,0']);
  });
  it('flips what is in hand to its other side, or to the next that fits', () => {
    expect(otherSide({ piece: '17a', pieces: ['5a', '17a', '17b', 'flip'] })).toBe('17b');
    expect(otherSide({ piece: '5a', pieces: ['5a', '17a', '17b', 'flip'] })).toBe('17a');
    expect(otherSide({ piece: 'flip', pieces: ['flip'] })).toBeNull();
  });
  it('offers each claim on the board and in the tray', () => {
    const claiming = view();
    claiming.position.phase = 'claim';
    const all = options(claiming, [
      { kind: 'claim', piece: 'boot', on: 'N', move: 'boot N', words: '' },
      { kind: 'no claim', move: 'no claim', words: '' },
    ]);
    expect(all.map((option) => [option.piece, option.place])).toEqual([
      ['boot N', null],
      [CLAIM, 'on N'],
      ['no claim', null],
    ]);
    expect(startPiece(claiming, all)).toBe(CLAIM);
  });
  it('asks why not for the side in hand, turned so that its ground would fit', () => {
    const choice = choose(options(view(), moves), { ...NO_SELECTION, piece: '17b' });
    expect(attempt(view(), choice, '4,4')).toBe('17b1@4,4');
    expect(attempt(view(), choice, '4,3')).toBe('17b0@4,3');
    expect(attempt(view(), choice, '0,0')).toBe('flip 0,0 1');
  });
  it('draws the tile in hand as a ghost where it would lie', () => {
    const mine = view();
    mine.extra.hands = [
      { tile: 17, spade: false, segments: ['worm end N'], bridges: ['sand', 'sand'], ornaments: ['none', 'none'] },
    ];
    const [option] = options(mine, [lay(17, 'b', 1, [2, -2])]);
    expect(ghostOf(mine, option ?? null)).toMatchObject({ x: 2, y: -2, face: { segments: [{ edges: [1] }] } });
  });
});

describe('features', () => {
  function withClaims(): MarramView {
    const told = view();
    told.extra.beasts = [
      {
        kind: 'blue',
        segments: 3,
        loose: 0,
        tiles: [
          [0, 0],
          [0, 1],
          [1, 1],
        ],
        parts: [
          { at: [0, 0], on: 'S' },
          { at: [0, 1], on: 'N' },
          { at: [1, 1], on: 'W' },
        ],
        pieces: [0, 1],
        leads: [1],
        points: 9,
      },
    ];
    return told;
  }
  it('draws a beast along its segments and says who leads', () => {
    const told = withClaims();
    const [feature] = featuresOf(told);
    if (!feature) throw new Error('no feature');
    expect(shapesOf(told, feature).shapes).toHaveLength(3);
    expect(leadWords(told, feature, ['Ada', 'Bea'])).toBe('Bea leads, 9 points now');
    const [, body] = told.position.laid;
    expect(body && featureAt(told, body, 'E')?.key).toBe(feature.key);
  });
  it('draws a patch around its corner points, where tiles are missing too', () => {
    const told = view();
    told.extra.patches = [
      {
        ground: 'grass',
        bulges: 1,
        open: 1,
        tiles: [[0, 0]],
        corners: [[0, 0]],
        pieces: [1, 0],
        leads: [0],
        points: 0,
      },
    ];
    const [feature] = featuresOf(told);
    if (!feature) throw new Error('no feature');
    const { shapes } = shapesOf(told, feature);
    expect(shapes.filter((shape) => !shape.missing)).toHaveLength(1);
    expect(shapes.filter((shape) => shape.missing)).toHaveLength(3);
  });
  it('tells a screen reader what a tile holds', () => {
    const tile = spaces(withClaims(), ['Ada', 'Bea']).find((space) => space.key === '0,1');
    expect(tile?.label).toContain("Bea's boot on the blue body");
    expect(tile?.label).toContain('blue snake of 3 segments: Bea leads');
  });
});

describe('what a move completes', () => {
  const line = (rule: string, why: string) => ({ seat: 0, rule, points: 9, where: [], why });
  it('is said in words, with who had pieces on it where there was a contest', () => {
    expect(lineWords(line('blue', 'blue snake of 3 segments; seat 0 had 1 boot'))).toBe(
      'completes the blue snake of 3 segments',
    );
    expect(lineWords(line('patch', 'sand patch of 2 bulges; seat 0 had 2 boots, seat 1 had 1 boot'))).toBe(
      'completes the sand patch of 2 bulges; seat 0 had 2 boots, seat 1 had 1 boot',
    );
    expect(lineWords(line('end beast', 'worm of 2 segments; seat 0 had 1 boot'))).toBe(
      'worm of 2 segments; seat 0 had 1 boot',
    );
  });
  it('counts what a claim would bring where a place says its points', () => {
    const [option] = options(view(), [{ ...lay(17, 'b', 1, [1, -1]), offer: 9 }]);
    expect(choose(option ? [option] : [], { ...NO_SELECTION, piece: '17b' }).places.get('1,-1')).toBe(9);
  });
});
