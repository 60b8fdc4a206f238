/** The log in plain words, and the places its lines speak of. */
import type { Entry, GameEvent, ScoreLine } from './api/types';
import { placeKey } from './kit/geometry';

/** Points that a player made or lost. */
export interface Gain {
  seat: number;
  points: number;
}

export interface LogLine {
  key: string;
  /** The entry that it is part of. */
  number: number;
  text: string;
  /** The text without the name of whose turn it is, as it is read below that name; null: it begins with something else. */
  rest: string | null;
  seat: number | null;
  kind: string;
  places: string[];
  points: number;
  gains: Gain[];
  /** How often it happened in a row. */
  times: number;
  /** Whether it was taken back. */
  undone: boolean;
  event: GameEvent | null;
  /** Whose turn it is part of, the heading of what is nobody's turn, or null: whatever it follows. */
  part: Part;
}

/** A seat, whose turn it is; or the heading of a part of the game that is nobody's turn. */
export type Part = number | string | null;
export type PartOf = (event: GameEvent, entry: Entry) => Part;

/** What a player did in a turn, or what happened in a part of the game that is nobody's turn. */
export interface LogTurn {
  key: string;
  seat: number | null;
  heading: string;
  /** Whether it tells that something was taken back. */
  undo: boolean;
  /** Which turn of the game it is, from 1; null: nobody's, or all of it was taken back. */
  number: number | null;
  /** What its player made in it. */
  points: number;
  /** The first and the last entry of it. */
  from: number;
  to: number;
  lines: LogLine[];
}

/** The key of a place that something of a seat speaks of. */
export type KeyOf = (where: unknown, seat: number) => string;

/** All places an event speaks of: where it happened, and where its points come from. */
export function placesOf(event: GameEvent, keyOf: KeyOf = placeKey): string[] {
  const found = new Set<string>();
  for (const name of ['at', 'to', 'from', 'place', 'space']) {
    const value = event.data[name];
    if (Array.isArray(value) || typeof value === 'string') found.add(keyOf(value, event.seat));
  }
  for (const line of event.lines) for (const where of line.where) found.add(keyOf(where, line.seat));
  return [...found];
}

/** A move is part of the turn of whoever made it; what chance brings, of the turn of whom it brings it to. */
export const usualPart: PartOf = (event, entry) => {
  if (entry.seat !== null && entry.seat >= 0) return entry.seat;
  return event.seat >= 0 ? event.seat : null;
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function gainsOf(lines: readonly ScoreLine[]): Gain[] {
  const sums = new Map<number, number>();
  for (const line of lines) sums.set(line.seat, (sums.get(line.seat) ?? 0) + line.points);
  return [...sums].flatMap(([seat, points]) => (points ? [{ seat, points }] : []));
}

const gainOf = (event: GameEvent, seat: number | null): number =>
  event.lines.reduce((sum, line) => sum + (line.seat === seat ? line.points : 0), 0);

export const signed = (points: number): string => (points < 0 ? `\u2212${-points}` : `+${points}`);

export function logLines(
  entries: readonly Entry[],
  say: (text: string) => string,
  quiet: readonly string[] = [],
  places: (event: GameEvent) => string[] = (event) => placesOf(event),
  partOf: PartOf = usualPart,
): LogLine[] {
  const lines: LogLine[] = [];
  const stands = new Set(standing(entries).map((entry) => entry.number));
  for (const entry of entries) {
    const undone = entry.kind === 'move' && !stands.has(entry.number);
    const shared = { number: entry.number, times: 1, undone };
    if (entry.text && !entry.events.length) {
      lines.push({
        ...shared,
        key: `${entry.number}`,
        text: say(entry.text),
        rest: null,
        seat: entry.seat,
        kind: entry.kind,
        places: [],
        points: 0,
        gains: [],
        event: null,
        // What is taken back is nobody's turn: it stands between the turns.
        part: entry.kind === 'undo' ? say(entry.text) : null,
      });
    }
    entry.events.forEach((event, i) => {
      if (!event.text || quiet.includes(event.kind)) return;
      const part = partOf(event, entry);
      const name = typeof part === 'number' ? `{${part}} ` : '';
      const gains = gainsOf(event.lines);
      lines.push({
        ...shared,
        key: `${entry.number}.${i}`,
        text: say(event.text),
        rest: name && event.text.startsWith(name) ? capital(say(event.text.slice(name.length))) : null,
        seat: event.seat,
        kind: entry.seat === -1 ? 'chance' : event.kind,
        places: places(event),
        points: gains.reduce((sum, gain) => sum + gain.points, 0),
        gains,
        event,
        part: part === event.text ? say(part) : part,
      });
    });
  }
  return lines;
}

/** The log by turns. A line that is the heading of its part is not told twice; what happens again and again is told once. */
export function logTurns(lines: readonly LogLine[]): LogTurn[] {
  const turns: LogTurn[] = [];
  for (const line of lines) {
    const last = turns.at(-1);
    const seat = typeof line.part === 'number' ? line.part : null;
    const heading = typeof line.part === 'string' ? line.part : '';
    const goesOn = last && (line.part === null || (last.seat === seat && last.heading === heading));
    const turn = goesOn
      ? last
      : {
          key: line.key,
          seat,
          heading,
          undo: line.kind === 'undo',
          number: null,
          points: 0,
          from: line.number,
          to: line.number,
          lines: [],
        };
    if (!goesOn) turns.push(turn);
    turn.to = line.number;
    if (heading && heading === line.text) continue;
    const before = turn.lines.at(-1);
    if (before && before.text === line.text && before.kind === line.kind && before.undone === line.undone)
      turn.lines[turn.lines.length - 1] = again(before, line);
    else turn.lines.push(line);
  }
  let number = 0;
  let last: number | null = null;
  let back = false;
  for (const turn of turns) {
    if (turn.undo) back = true;
    if (turn.seat === null) continue;
    const kept = turn.lines.filter((line) => !line.undone);
    if (kept.length) {
      // After something was taken back, the turn in which it was done goes on.
      turn.number = back && turn.seat === last ? number : ++number;
      last = turn.seat;
      back = false;
    }
    for (const gain of kept.flatMap((line) => line.gains)) if (gain.seat === turn.seat) turn.points += gain.points;
  }
  return turns;
}

function again(before: LogLine, line: LogLine): LogLine {
  const gains = before.gains.map((gain) => ({ ...gain }));
  for (const { seat, points } of line.gains) {
    const known = gains.find((gain) => gain.seat === seat);
    if (known) known.points += points;
    else gains.push({ seat, points });
  }
  return {
    ...before,
    gains,
    times: before.times + line.times,
    points: before.points + line.points,
    places: [...new Set([...before.places, ...line.places])],
  };
}

/** The first line that was not there yet when a person last looked; null: nothing is new. */
export function firstSince(turns: readonly LogTurn[], since: number | null): string | null {
  if (since === null) return null;
  for (const turn of turns) for (const line of turn.lines) if (line.number > since) return line.key;
  return null;
}

/** Entries that stand: moves that were taken back are no part of the story in numbers. */
export function standing(entries: readonly Entry[]): Entry[] {
  let kept: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'undo') {
      const first = entry.back ?? Infinity;
      kept = kept.filter((other) => other.kind !== 'move' || other.number < first);
    } else kept.push(entry);
  }
  return kept;
}

export interface Story {
  /** Each seat's score after each move by a player, from 0 on. */
  curves: number[][];
  rules: string[];
  /** Points of each seat by rule. */
  byRule: Map<string, number>[];
  /** The moves that scored most, best first. */
  best: { seat: number; points: number; text: string; number: number; places: string[] }[];
}

/** `ends` are the final scores: a game need not begin at nothing. What counts at the end is nobody's best move. */
export function storyOf(
  entries: readonly Entry[],
  seats: number,
  ends: readonly number[] = [],
  partOf: PartOf = usualPart,
): Story {
  const told = new Array<number>(seats).fill(0);
  for (const entry of standing(entries))
    if (entry.kind === 'move')
      for (const line of entry.events.flatMap((event) => event.lines))
        told[line.seat] = (told[line.seat] ?? 0) + line.points;
  const scores = told.map((sum, seat) => (ends[seat] ?? sum) - sum);
  const curves = scores.map((score) => [score]);
  const byRule = scores.map(() => new Map<string, number>());
  const rules: string[] = [];
  const best: Story['best'] = [];
  for (const entry of standing(entries)) {
    if (entry.kind !== 'move') continue;
    const lines: ScoreLine[] = entry.events.flatMap((event) => event.lines);
    for (const line of lines) {
      scores[line.seat] = (scores[line.seat] ?? 0) + line.points;
      const mine = byRule[line.seat];
      mine?.set(line.rule, (mine.get(line.rule) ?? 0) + line.points);
      if (!rules.includes(line.rule)) rules.push(line.rule);
    }
    if ((entry.seat ?? -1) < 0 && !lines.length) continue;
    scores.forEach((score, seat) => curves[seat]?.push(score));
    const mine = entry.events
      .filter((event) => partOf(event, entry) === entry.seat)
      .map((event) => ({ event, points: gainOf(event, entry.seat) }));
    const points = mine.reduce((sum, each) => sum + each.points, 0);
    const event = mine.sort((a, b) => b.points - a.points)[0]?.event;
    if (points > 0 && event && entry.seat !== null)
      best.push({ seat: entry.seat, points, text: event.text, number: entry.number, places: placesOf(event) });
  }
  best.sort((a, b) => b.points - a.points);
  return { curves, rules, byRule, best: best.slice(0, 3) };
}
