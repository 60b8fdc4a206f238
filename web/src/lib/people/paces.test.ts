import { expect, it } from 'vitest';
import { titleWith } from '../badge';
import { timeLeft } from './paces';

const MINUTE = 60_000;

it('says how much time is left', () => {
  expect(timeLeft(30_000, 0)).toBe('less than a minute');
  expect(timeLeft(MINUTE, 0)).toBe('1 minute');
  expect(timeLeft(59 * MINUTE, 0)).toBe('59 minutes');
  expect(timeLeft(60 * MINUTE, 0)).toBe('1 hour');
  expect(timeLeft(47 * 60 * MINUTE, 0)).toBe('47 hours');
  expect(timeLeft(48 * 60 * MINUTE, 0)).toBe('2 days');
  expect(timeLeft(0, MINUTE)).toBe('less than a minute');
});

it('puts the number of games that wait before the title', () => {
  expect(titleWith('Wellies', 0)).toBe('Wellies');
  expect(titleWith('Wellies', 2)).toBe('(2) Wellies');
});
