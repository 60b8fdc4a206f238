import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addDays, daysBetween, firstTries, gameOfDay, isDay, keepFirstTry, shareText, streak, today } from './puzzles';

const calendar = { first: '2026-11-18', games: ['a', 'b', 'c'] };
const solved = (day: string, tried = day) => ({ [`a ${day}`]: { move: 'x', boots: 3, tried } });

describe('days', () => {
  it('are those of UTC', () => {
    expect(today(Date.parse('2026-11-18T23:59:59Z'))).toBe('2026-11-18');
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(daysBetween('2026-11-18', '2027-11-18')).toBe(365);
  });
  it('are told from other texts', () => {
    expect(['2026-11-18', '2026-13-01', '2026-02-30', 'today', ''].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
  it('take their game from one after the other', () => {
    expect(['2026-11-18', '2026-11-19', '2026-11-21'].map((day) => gameOfDay(calendar, day))).toEqual(['a', 'b', 'a']);
  });
});

describe('a streak', () => {
  it('goes up to today, or to yesterday while today is still to be solved', () => {
    const two = { ...solved('2026-11-18'), ...solved('2026-11-19') };
    expect(streak(two, '2026-11-19')).toBe(2);
    expect(streak(two, '2026-11-20')).toBe(2);
    expect(streak(two, '2026-11-21')).toBe(0);
  });
  it('counts neither what was solved later nor what was missed', () => {
    expect(streak(solved('2026-11-18', '2026-11-19'), '2026-11-19')).toBe(0);
    expect(streak({ 'a 2026-11-18': { move: 'x', boots: 2, tried: '2026-11-18' } }, '2026-11-18')).toBe(0);
  });
});

describe('first tries', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
  });
  it('count, and later ones do not', () => {
    keepFirstTry('a', '2026-11-18', { move: 'x', boots: 0, tried: '2026-11-18' });
    expect(keepFirstTry('a', '2026-11-18', { move: 'y', boots: 3, tried: '2026-11-18' }).boots).toBe(0);
    expect(firstTries()['a 2026-11-18']?.move).toBe('x');
  });
  it('are left out where they are damaged', () => {
    localStorage.setItem('wellies.puzzles', '{"a 2026-11-18": {"move": 3}, "b 2026-11-18": null}');
    expect(firstTries()).toEqual({});
  });
});

it('a shared result shows boots and rain, and nothing of the position', () => {
  expect(shareText('Marram', 2, '2026-11-19', 2, 4)).toBe(
    'Wellies puzzle 2 · Marram · 2026-11-19\n👢👢💧\n☔ 4 days in a row',
  );
});
