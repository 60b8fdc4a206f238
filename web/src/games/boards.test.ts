import { expect, it } from 'vitest';
import { diagrams as guppies } from './guppies/diagrams';
import { options, spaces } from './guppies/board';
import { halvesOf, letterAt, STEPS, turned } from './guppies/material';
import type { GuppiesView } from './guppies/board';
import { attempt, beyond, hops, spaces as mat, type UmbraMove, type UmbraView } from './umbradeco/board';
import { diagrams as umbradeco } from './umbradeco/diagrams';
import { matSpaces } from './umbradeco/material';
import { choose, NO_SELECTION } from '../lib/board/selection';

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
  for (const { view } of guppies) {
    const laid = new Map((view as GuppiesView).position.laid.map((tile) => [tile.at.join(), tile.face]));
    for (const [key, face] of laid)
      STEPS.forEach(([dq, dr], edge) => {
        const [q = 0, r = 0] = key.split(',').map(Number);
        const beside = laid.get([q + dq, r + dr].join());
        if (beside !== undefined) expect(letterAt(beside, (edge + 3) % 6)).toBe(mate(letterAt(face, edge)));
      });
  }
});

it('says what an open space of Guppies wants', () => {
  const view = structuredClone(guppies[0]?.view) as GuppiesView;
  view.extra.open = [[-1, 0]];
  expect(spaces(view).at(-1)?.label).toBe('Open space W1, wants water to the east');
  const legal = [
    { kind: 'lay' as const, side: 'a' as const, turn: 2, at: [-1, 0], move: 'a2@-1,0', words: '', points: 4 },
  ];
  expect(options(view, legal)[0]).toMatchObject({ piece: 'a', place: '-1,0', way: '2' });
});

it('calls the spaces of Umbradeco by column and by height in the column', () => {
  const names = new Map(mat(umbradeco[2]?.view as UmbraView).map((space) => [space.key, space.name]));
  expect(new Set(names.values()).size).toBe(names.size);
  expect([names.get('0,0'), names.get('0,2'), names.get('-2,2'), names.get('2,-2')]).toEqual(['c3', 'c1', 'a1', 'e3']);
});

it('knows the mats of Umbradeco and the way of a push', () => {
  expect([3, 4, 5].map((side) => matSpaces(side).length)).toEqual([19, 37, 61]);
  expect(beyond('0,0', 'NE').key).toBe('1,-1');
  const view = umbradeco[2]?.view as UmbraView;
  expect(mat(view).find((space) => space.key === '0,0')?.label).toBe('Space c3: yellow on blue');
  const choice = { ...choose<UmbraMove>([], NO_SELECTION), piece: 'red' };
  expect(attempt(view, choice, '2,0')).toBe('red@2,0');
  expect(attempt(view, choice, '0,0')).toBe('red^0,0');
  expect(attempt(view, choice, '1,0')).toMatch(/^red>1,0:/);
  expect(
    hops([
      {
        number: 1,
        at: 0,
        kind: 'move',
        seat: 0,
        move: null,
        text: '',
        events: [{ kind: 'push', seat: 0, text: '', data: { at: [0, 0], to: [1, 0] }, lines: [] }],
      },
    ]),
  ).toEqual([{ from: '0,0', to: '1,0' }]);
});
