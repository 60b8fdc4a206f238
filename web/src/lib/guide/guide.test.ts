import { describe, expect, it } from 'vitest';
import type { Entry } from '../api/types';
import { ANOTHER_WAY, BEGIN, follow, type GuideStep } from './guide';

const steps: GuideStep[] = [
  { say: 'Look.', until: 'next' },
  { say: 'Take.', until: 'move', expect: '^take Seahorse' },
  { say: 'Good.', until: 'next' },
  { say: 'Again.', until: 'move' },
];
let number = 0;
const entry = (seat: number, kind: string, move: string | null = null): Entry =>
  ({ number: ++number, at: 0, kind, seat, move, text: '', events: [] }) as Entry;

describe('a guide', () => {
  it('goes on after the advised move, and a move that comes early skips what leads up to it', () => {
    expect(follow(steps, BEGIN, [entry(0, 'move', 'take Seahorse@a1')], 0)).toEqual({ step: 2, remark: '' });
  });
  it('lets other moves pass with a remark', () => {
    expect(follow(steps, { step: 1, remark: '' }, [entry(0, 'move', 'restock')], 0)).toEqual({
      step: 2,
      remark: ANOTHER_WAY,
    });
  });
  it('does not mind the moves of others', () => {
    expect(follow(steps, { step: 1, remark: '' }, [entry(1, 'move', 'x'), entry(-1, 'move', 'draw')], 0).step).toBe(1);
  });
  it('goes back with undo', () => {
    expect(follow(steps, { step: 3, remark: ANOTHER_WAY }, [entry(0, 'undo')], 0)).toEqual({ step: 1, remark: '' });
  });
  it('is quiet when it has nothing more to ask', () => {
    expect(follow(steps, { step: 4, remark: '' }, [entry(0, 'move', 'x')], 0).step).toBe(4);
  });
});
