import { describe, expect, it } from 'vitest';
import type { Entry } from '../api/types';
import { ANOTHER_WAY, NOT_STARTED, fillGuideText, advance, NOT_YET, skipAdvised, type GuideStep } from './guide';

const steps: GuideStep[] = [
  { say: 'Look.', until: 'next' },
  { say: 'Take.', until: 'move', expect: '^take Seahorse' },
  { say: 'Good.', until: 'next' },
  { say: 'Again.', until: 'move' },
];
let number = 0;
const entry = (seat: number, kind: string, move: string | null = null, back: number | null = null): Entry =>
  ({ number: ++number, at: 0, kind, seat, move, text: '', events: [], back }) as Entry;
/** An entry that takes back an earlier move and everything after it. */
const undo = (first: Entry): Entry => entry(first.seat ?? 0, 'undo', null, first.number);

describe('a guide', () => {
  it('goes on after the advised move, and a move that comes early skips what leads up to it', () => {
    expect(advance(steps, NOT_STARTED, [entry(0, 'move', 'take Seahorse@a1')], 0)).toMatchObject({
      step: 2,
      remark: '',
    });
  });
  it('lets other moves pass with a remark', () => {
    expect(advance(steps, { step: 1, remark: '' }, [entry(0, 'move', 'restock')], 0)).toMatchObject({
      step: 2,
      remark: ANOTHER_WAY,
    });
  });
  it('stays where only the advised move leads on', () => {
    const strict = steps.map((step) => (step.until === 'move' ? { ...step, again: true } : step));
    const stayed = advance(strict, { step: 1, remark: '' }, [entry(0, 'move', 'restock')], 0);
    expect(stayed).toMatchObject({ step: 1, remark: NOT_YET });
    expect(advance(strict, stayed, [entry(0, 'move', 'take Seahorse@a1')], 0)).toMatchObject({ step: 2, remark: '' });
  });
  it('takes no notice of what merely carries out a choice, unless it asks for it', () => {
    const dogs: GuideStep[] = [
      { say: 'Choose.', until: 'move', expect: '^choose 41' },
      { say: 'Take.', until: 'move', expect: '^take 42' },
      { say: 'Turn.', until: 'move', expect: '^up' },
      { say: 'Done.', until: 'next' },
    ];
    const after = (...moves: string[]) =>
      advance(
        dogs,
        NOT_STARTED,
        moves.map((move) => entry(0, 'move', move)),
        0,
        '^(bury|up|stop)',
      );
    expect(after('choose 41', 'bury huskies', 'bury huskies')).toMatchObject({ step: 1, remark: '' });
    expect(after('choose 41', 'bury huskies', 'take 42', 'up 2 huskies')).toMatchObject({ step: 3, remark: '' });
  });
  it('does not speak of what came of its advice to those who did not take it', () => {
    const told = steps.map((step, i) => (i === 1 || i === 2 ? { ...step, advised: true } : step));
    expect(skipAdvised(told, 1, true)).toBe(3);
    expect(skipAdvised(told, 1, false)).toBe(1);
  });
  it('calls everyone by name', () => {
    const say = '{bot} has {bot score}, you have {score}.';
    expect(fillGuideText(say, ['Ann', 'Shower'], [7, 9], 0)).toBe('Shower has 9, you have 7.');
  });
  it('does not mind the moves of others', () => {
    expect(advance(steps, { step: 1, remark: '' }, [entry(1, 'move', 'x'), entry(-1, 'move', 'draw')], 0).step).toBe(1);
  });
  it('goes back with undo, though a bot has answered', () => {
    const mine = entry(0, 'move', 'restock');
    const at = advance(steps, NOT_STARTED, [mine, entry(-1, 'move', 'draw'), entry(1, 'move', 'x')], 0);
    expect(at).toMatchObject({ step: 2, remark: ANOTHER_WAY });
    expect(advance(steps, at, [undo(mine)], 0)).toEqual({ step: 1, remark: '', moves: [] });
  });
  it('goes back over several moves at once, and one by one', () => {
    const [first, second] = [entry(0, 'move', 'take Seahorse@a1'), entry(0, 'move', 'x')];
    const at = advance(steps, NOT_STARTED, [first, second], 0);
    expect(at.step).toBe(4);
    expect(advance(steps, at, [undo(second)], 0).step).toBe(3);
    expect(advance(steps, at, [undo(second), undo(first)], 0).step).toBe(1);
    expect(advance(steps, at, [undo(first)], 0)).toEqual({ step: 1, remark: '', moves: [] });
  });
  it('stays where it is when others take a move back', () => {
    const at = advance(steps, NOT_STARTED, [entry(0, 'move', 'take Seahorse@a1')], 0);
    const other = entry(1, 'move', 'x');
    expect(advance(steps, at, [other, undo(other)], 0)).toEqual(at);
  });
  it('is quiet when it has nothing more to ask', () => {
    expect(advance(steps, { step: 4, remark: '' }, [entry(0, 'move', 'x')], 0).step).toBe(4);
  });
});
