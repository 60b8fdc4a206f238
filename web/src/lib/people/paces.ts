/** How fast people want to play, in words. */
import type { SearchWish } from '../api/types';

export type Pace = SearchWish['pace'];

export const PACES: readonly (readonly [Pace, string])[] = [
  ['5 minutes', '5 minutes each'],
  ['10 minutes', '10 minutes each'],
  ['30 minutes', '30 minutes each'],
  ['3 days', '3 days a move'],
  ['no clock', 'No clock'],
];

/** Time until a moment: `2 days`, `5 hours`, `12 minutes`. */
export function timeLeft(until: number, now: number): string {
  const minutes = Math.max(0, Math.floor((until - now) / 60_000));
  const [count, word] =
    minutes >= 2880
      ? [Math.floor(minutes / 1440), 'day']
      : minutes >= 60
        ? [Math.floor(minutes / 60), 'hour']
        : [minutes, 'minute'];
  if (count === 0) return 'less than a minute';
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
