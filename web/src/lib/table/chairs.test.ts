import { describe, expect, it } from 'vitest';
import type { TableInfo } from '../api/types';
import { chairChanges } from './chairs';

const game = { min_seats: 2, max_seats: 4 };
const table = (chairs: number, goes_on = false) =>
  ({ seats: Array.from({ length: chairs }), goes_on }) as unknown as TableInfo;

describe('the chairs of a table that waits', () => {
  it.each([
    [2, true, false],
    [3, true, true],
    [4, false, true],
  ])('are as many as the game allows: %i', (chairs, more, fewer) =>
    expect(chairChanges(table(chairs), game)).toEqual({ more, fewer }),
  );
  it('cannot be changed in a game that goes on from another one', () =>
    expect(chairChanges(table(3, true), game)).toEqual({ more: false, fewer: false }));
  it('cannot be changed before the game is known', () =>
    expect(chairChanges(table(3), null)).toEqual({ more: false, fewer: false }));
});
