import { expect, it } from 'vitest';
import { track } from './tracking';

it('keeps the id of a piece that stays, and gives a new one to a piece that comes', () => {
  const before = track([], [{ place: '0,0', kind: 'red' }], []);
  const after = track(
    before,
    [
      { place: '0,0', kind: 'red' },
      { place: '0,1', kind: 'red' },
    ],
    [],
  );
  expect(after[0]?.id).toBe(before[0]?.id);
  expect(after[1]?.id).not.toBe(before[0]?.id);
});

it('lets a pushed piece take its id along', () => {
  const before = track([], [{ place: '0,0', kind: 'red' }], []);
  const after = track(
    before,
    [
      { place: '0,0', kind: 'blue' },
      { place: '1,0', kind: 'red' },
    ],
    [{ from: '0,0', to: '1,0' }],
  );
  expect(after.find((piece) => piece.kind === 'red')?.id).toBe(before[0]?.id);
  expect(after.find((piece) => piece.kind === 'blue')?.id).not.toBe(before[0]?.id);
});

it('knows the lower from the upper tile of a stack', () => {
  const before = track([], [{ place: '0,0', kind: 'red' }], []);
  const after = track(
    before,
    [
      { place: '0,0', kind: 'red' },
      { place: '0,0', kind: 'blue' },
    ],
    [],
  );
  expect(after.map((piece) => piece.kind)).toEqual(['red', 'blue']);
  expect(after[0]?.id).toBe(before[0]?.id);
});
