import { expect, it } from 'vitest';
import { options, spaces, type GuppiesView } from './board';
import { diagrams } from './diagrams';
import { halvesOf, letterAt, STEPS, turned } from './material';

it('turns a face clockwise', () => {
  expect(turned('G.....', 1)).toBe('.G....');
  expect(turned('GgOoPp', 6)).toBe('GgOoPp');
  expect(turned('SQUID', 2)).toBe('SQUID');
  expect(halvesOf('Go....')).toEqual([
    { edge: 0, colour: 'green', part: 'head' },
    { edge: 1, colour: 'orange', part: 'tail' },
  ]);
});

it('shows only diagrams in which every edge matches', () => {
  const mate = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
  for (const { view } of diagrams) {
    const laid = new Map((view as GuppiesView).position.laid.map((tile) => [tile.at.join(), tile.face]));
    for (const [key, face] of laid)
      STEPS.forEach(([dq, dr], edge) => {
        const [q = 0, r = 0] = key.split(',').map(Number);
        const beside = laid.get([q + dq, r + dr].join());
        if (beside !== undefined) expect(letterAt(beside, (edge + 3) % 6)).toBe(mate(letterAt(face, edge)));
      });
  }
});

it('says what an open space wants', () => {
  const view = structuredClone(diagrams[0]?.view) as GuppiesView;
  view.extra.open = [[-1, 0]];
  expect(spaces(view).at(-1)?.label).toBe('Open space W1, wants water to the east');
  const legal = [
    { kind: 'lay' as const, side: 'a' as const, turn: 2, at: [-1, 0], move: 'a2@-1,0', words: '', points: 4 },
  ];
  expect(options(view, legal)[0]).toMatchObject({ piece: 'a', place: '-1,0', way: '2' });
});
