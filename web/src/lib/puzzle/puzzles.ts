/** Puzzles: days, first tries and streaks. What is stored here is kept in this browser. Pure functions, but for the storage. */
import { weekdayText } from '../locale';
import { readStoredRecord, writeStored } from '../storage';

/** A day (UTC) as it is written: 2026-11-18. */
export type Day = string;

export const MOST_BOOTS = 3;
const DAY_MS = 86_400_000;
const KEY = 'wellies.puzzles';

/** The first try of a puzzle: it is the one that counts. `tried` is the day on which it was made. */
export interface FirstTry {
  move: string;
  boots: number;
  tried: Day;
}
/** First tries by game and day: `umbradeco 2026-11-18`. */
export type FirstTries = Readonly<Record<string, FirstTry>>;

/** The first day with puzzles, and the games that have some: the puzzle of the day comes from one after the other. */
export interface PuzzleCalendar {
  first: Day;
  games: string[];
}

export const today = (now = Date.now()): Day => new Date(now).toISOString().slice(0, 10);
const millis = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(millis(text)) && today(millis(text)) === text;
export const daysBetween = (from: Day, to: Day): number => Math.round((millis(to) - millis(from)) / DAY_MS);
export const addDays = (day: Day, days: number): Day => today(millis(day) + days * DAY_MS);

/** The game of the puzzle of the day. */
export function gameOfDay(calendar: PuzzleCalendar, day: Day): string {
  const count = calendar.games.length;
  const place = daysBetween(calendar.first, day) % count;
  return calendar.games[(place + count) % count] ?? '';
}

/** The day in words, such as "Wednesday 18 November". */
export const dayText = (day: Day): string => weekdayText(millis(day));

export const keyOf = (game: string, day: Day): string => `${game} ${day}`;

function isFirstTry(value: unknown): value is FirstTry {
  const given = value as Partial<FirstTry> | null;
  return typeof given?.move === 'string' && typeof given.boots === 'number' && typeof given.tried === 'string';
}

/** The first tries that this browser knows. What is damaged is left out. */
export function firstTries(): FirstTries {
  return Object.fromEntries(
    Object.entries(readStoredRecord(KEY)).filter((each): each is [string, FirstTry] => isFirstTry(each[1])),
  );
}

/** Keeps a first try; a later one of the same puzzle changes nothing. Returns the one that counts. */
export function keepFirstTry(game: string, day: Day, given: FirstTry): FirstTry {
  const known = firstTries();
  const key = keyOf(game, day);
  const before = known[key];
  if (before) return before;
  writeStored(KEY, { ...known, [key]: given });
  return given;
}

/** On how many days in a row a puzzle of that day was solved on the day itself, up to today or yesterday. */
export function streak(tries: FirstTries, now: Day): number {
  const solved = new Set(
    Object.entries(tries)
      .filter(([key, each]) => each.boots === MOST_BOOTS && key.endsWith(` ${each.tried}`))
      .map(([, each]) => each.tried),
  );
  let day = solved.has(now) ? now : addDays(now, -1);
  let count = 0;
  for (; solved.has(day); day = addDays(day, -1)) count++;
  return count;
}

/** Three marks: boots that were earned, and drops of rain. */
export const marks = (boots: number): string => '👢'.repeat(boots) + '💧'.repeat(MOST_BOOTS - boots);

export const bootsText = (boots: number): string => `${boots} of ${MOST_BOOTS} boots`;

/** A result to send to others. It tells nothing about the position or the move. */
export function shareText(title: string, number: number, day: Day, boots: number, inRow: number): string {
  const days = inRow > 1 ? `\n☔ ${inRow} days in a row` : '';
  return `Wellies puzzle ${number} · ${title} · ${day}\n${marks(boots)}${days}`;
}
