import { describe, expect, it } from 'vitest';
import type { Analysis, BotInfo, JudgedMove } from '../api/types';
import { levelForPeople, forPeople, levelLine, thinkingWords } from '../levels/levels';
import {
  behindText,
  chanceCurves,
  costliestMoves,
  lanes,
  outlookText,
  percentText,
  pointsText,
  progressText,
  replayQuery,
  stepText,
  sumText,
} from './analysis';

function judged(number: number, lost: number, sure = false, seat = 0): JudgedMove {
  const best = lost ? { move: 'b', words: 'do better' } : null;
  return { number, seat, move: 'a', words: 'do this', choices: 3, lost, error: 0.2, sure, lead: 1, best };
}

describe('the analysis', () => {
  const moves = [judged(3, 0), judged(5, 4), judged(7, 1.5, true), judged(9, 2.25, true, 1), judged(11, 0.2)];

  it('names the clear mistakes first, and no trifles', () => {
    expect(costliestMoves(moves).map((move) => move.number)).toEqual([9, 7, 5]);
    expect(costliestMoves(moves, 1).map((move) => move.number)).toEqual([9]);
    expect(moves.map((move) => move.number)).toEqual([3, 5, 7, 9, 11]);
  });

  it('draws a lane for each seat', () => {
    const drawn = lanes(moves, 20);
    expect([...drawn.keys()]).toEqual([0, 1]);
    expect(drawn.get(0)?.map((bar) => bar.move.number)).toEqual([5, 7, 11]);
    expect(drawn.get(0)?.[0]).toMatchObject({ x: 0.25, height: 1 });
    expect(drawn.get(1)?.[0]?.height).toBeCloseTo(0.5625);
  });

  it('speaks', () => {
    expect(pointsText(2.34)).toBe('2.3 points');
    expect(pointsText(0.96)).toBe('1 point');
    const sum = { seat: 0, decisions: 12, best: 8, mistakes: 2, lost: 3.14 };
    expect(sumText(sum)).toBe('12 choices, 8 of them the best we found, 2 clear slips, about 3.1 points left behind.');
    expect(sumText({ ...sum, decisions: 1, best: 1, mistakes: 1, lost: 1 })).toBe(
      '1 choice, the best we found, 1 clear slip, about 1 point left behind.',
    );
    const told: Analysis = { state: 'thinking', done: 3, total: 9, missed: 0, moves: [], seats: [], message: '' };
    expect(progressText(told)).toBe('Thinking about move 4 of 9…');
    expect(progressText({ ...told, done: 9 })).toBe('Thinking about move 9 of 9…');
    expect(progressText({ ...told, state: 'waiting', total: 0 })).toBe('Queued behind another analysis…');
    expect(replayQuery(judged(34, 1))).toBe('at=33&better=34');
  });
});

describe('why a move', () => {
  const best = { move: 'a', words: 'do this [at 1,-1]', lead: 3.14, lead_error: 0.42, behind: 0, error: 0 };
  const other = { move: 'b', words: 'do that', lead: 1.9, lead_error: 0.4, behind: 1.24, error: 0.31 };

  it('tells how far the others are behind, and what is expected in all', () => {
    expect(behindText(other, false)).toBe('1.2 ± 0.3 less');
    expect(behindText({ ...other, error: 0 }, true)).toBe('1.2 less');
    expect(behindText({ ...other, behind: 0.02 }, false)).toBe('as good');
    expect(outlookText({ others: [best, other], chance: 0.614 })).toBe(
      'Expected lead: +3.1 ± 0.4 points. Winning chance: 61 %.',
    );
    expect(outlookText({ others: [{ ...best, lead: -2 }], chance: 0, proved: true })).toBe(
      'Expected lead: \u22122 points. Winning chance: 0 %. This is proved.',
    );
    expect(outlookText({ others: [], chance: null })).toBe('');
    expect([0, 0.001, 0.5, 0.999, 1].map(percentText)).toEqual(['0 %', '1 %', '50 %', '99 %', '100 %']);
  });

  it('tells what is expected, or on what it depends', () => {
    const step = { seat: 1, words: 'open red [at 0,2]', often: 0.75, points: 2.25, depends: '' as const };
    expect(stepText(step, ['Ann', 'Ben'])).toBe('Ben: open red (about 2.3 points)');
    expect(stepText({ ...step, words: '', depends: 'draw', points: 0 }, ['Ann', 'Ben'])).toBe(
      'Ben: that depends on the draw',
    );
  });

  it('draws a curve for each seat whose chances are known', () => {
    const moves = [judged(2, 0), judged(4, 1), judged(6, 0, false, 1)];
    expect(chanceCurves(moves, 8).size).toBe(0);
    const known = moves.map((move, i) => ({ ...move, chance: i / 4 }));
    const curves = chanceCurves(known, 8);
    expect([...curves.keys()]).toEqual([0, 1]);
    expect(curves.get(0)?.map(({ x, chance }) => [x, chance])).toEqual([
      [0.25, 0],
      [0.5, 0.25],
    ]);
  });
});

describe('the levels', () => {
  const bot = (name: string, strength: string, seconds: number, thinks: string): BotInfo => ({
    name,
    summary: `Plays as ${name}.`,
    strength,
    seconds,
    thinks,
    for_people: strength !== '',
  });
  const bots = [
    bot('drizzle', 'for a first game', 0, 'at once'),
    bot('storm', 'strong', 1.5, 'about a second'),
    bot('random', '', 0, 'at once'),
  ];

  it('offers those for people, with strength and time', () => {
    expect(forPeople(bots).map(levelLine)).toEqual([
      'Drizzle: for a first game; moves at once',
      'Storm: strong; about a second a move',
    ]);
  });

  it('takes a level for research that was liked once as one for people', () => {
    expect(['greedy', 'random', 'storm'].map(levelForPeople)).toEqual(['shower', 'drizzle', 'storm']);
  });

  it('tells who is thinking, if we wait for nobody else', () => {
    expect(thinkingWords(['Storm'], ['storm'], bots)).toBe('Storm is thinking…');
    expect(thinkingWords(['Storm 1', 'Storm 2'], ['storm', 'storm'], bots)).toBe('Storm 1 and Storm 2 are thinking…');
    expect(thinkingWords(['Storm', 'Ann'], ['storm', null], bots)).toBeNull();
    expect(thinkingWords(['Drizzle'], ['drizzle'], bots)).toBeNull();
    expect(thinkingWords([], [], bots)).toBeNull();
  });
});
