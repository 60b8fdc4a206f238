import { expect, it } from 'vitest';
import { choose, NO_SELECTION } from '../../lib/board/selection';
import { attempt, beyond, hops, spaces, type UmbraMove, type UmbraView } from './board';
import { diagrams } from './diagrams';
import { matSpaces } from './material';

it('calls the spaces by column and by height in the column', () => {
  const names = new Map(spaces(diagrams[2]?.view as UmbraView).map((space) => [space.key, space.name]));
  expect(new Set(names.values()).size).toBe(names.size);
  expect([names.get('0,0'), names.get('0,2'), names.get('-2,2'), names.get('2,-2')]).toEqual(['c3', 'c1', 'a1', 'e3']);
});

it('knows the mats and the way of a push', () => {
  expect([3, 4, 5].map((side) => matSpaces(side).length)).toEqual([19, 37, 61]);
  expect(beyond('0,0', 'NE').key).toBe('1,-1');
  const view = diagrams[2]?.view as UmbraView;
  expect(spaces(view).find((space) => space.key === '0,0')?.label).toBe('Space c3: yellow on blue');
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
