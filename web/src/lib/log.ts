/** The log as lines and turns for people, and the statistics of a finished game. */
import type { Entry, GameEvent, ScoreLine } from './api/types';
import { placeKey } from './board/geometry';
import { capitalize } from './text';

/** Points that a seat won or lost. */
export interface Gain {
  seat: number;
  points: number;
}

export interface LogLine {
  key: string;
  /** The number of its log entry. */
  number: number;
  text: string;
  /** The text without the leading name of the seat whose turn it is; null: the text does not begin with that name. */
  rest: string | null;
  seat: number | null;
  kind: string;
  /** The spaces to highlight. */
  places: string[];
  /** The points of all seats together. */
  points: number;
  gains: Gain[];
  /** How many equal lines in a row it stands for. */
  times: number;
  /** Whether it was taken back. */
  undone: boolean;
  event: GameEvent | null;
  /** The part of the log that it belongs to. */
  part: LogPart;
}

/** A part of the log: the turn of a seat, a heading for what is nobody's turn, or null for the same part as the line before. */
export type LogPart = number | string | null;
export type PartOf = (event: GameEvent, entry: Entry) => LogPart;

/** The lines of one seat's turn, or those below a heading. */
export interface LogTurn {
  key: string;
  seat: number | null;
  heading: string;
  /** Whether it reports an undo. */
  undo: boolean;
  /** The number of the turn, from 1; null: nobody's turn, or all of it was taken back. */
  number: number | null;
  /** The points of its seat. */
  points: number;
  /** Its first and its last entry. */
  from: number;
  to: number;
  lines: LogLine[];
}

/** The key of a space that an event of a seat names. */
export type KeyOf = (where: unknown, seat: number) => string;

/** All spaces of an event: where it happened, and where its points come from. */
export function placesOf(event: GameEvent, keyOf: KeyOf = placeKey): string[] {
  const found = new Set<string>();
  for (const name of ['at', 'to', 'from', 'place', 'space']) {
    const value = event.data[name];
    if (Array.isArray(value) || typeof value === 'string') found.add(keyOf(value, event.seat));
  }
  for (const line of event.lines) for (const where of line.where) found.add(keyOf(where, line.seat));
  return [...found];
}

/** A move belongs to the turn of the seat that made it, a chance event to the turn of the seat it concerns. */
export const defaultPart: PartOf = (event, entry) => {
  if (entry.seat !== null && entry.seat >= 0) return entry.seat;
  return event.seat >= 0 ? event.seat : null;
};

export function gainsOf(lines: readonly ScoreLine[]): Gain[] {
  const sums = new Map<number, number>();
  for (const line of lines) sums.set(line.seat, (sums.get(line.seat) ?? 0) + line.points);
  return [...sums].flatMap(([seat, points]) => (points ? [{ seat, points }] : []));
}

const gainOf = (event: GameEvent, seat: number | null): number =>
  event.lines.reduce((sum, line) => sum + (line.seat === seat ? line.points : 0), 0);

export function logLines(
  entries: readonly Entry[],
  say: (text: string) => string,
  quiet: readonly string[] = [],
  places: (event: GameEvent) => string[] = (event) => placesOf(event),
  partOf: PartOf = defaultPart,
): LogLine[] {
  const lines: LogLine[] = [];
  const valid = new Set(withoutUndone(entries).map((entry) => entry.number));
  for (const entry of entries) {
    const undone = entry.kind === 'move' && !valid.has(entry.number);
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
        // An undo is nobody's turn: it stands between the turns.
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
        rest: name && event.text.startsWith(name) ? capitalize(say(event.text.slice(name.length))) : null,
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

/** Groups lines into turns. A line that equals its heading is left out; equal lines in a row become one. */
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
      turn.lines[turn.lines.length - 1] = merged(before, line);
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
      // After an undo the same turn goes on.
      turn.number = back && turn.seat === last ? number : ++number;
      last = turn.seat;
      back = false;
    }
    for (const gain of kept.flatMap((line) => line.gains)) if (gain.seat === turn.seat) turn.points += gain.points;
  }
  return turns;
}

/** Two equal lines as one, with the sum of their points. */
function merged(before: LogLine, line: LogLine): LogLine {
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

/** The key of the first line after the entry `since`; null: there is none. */
export function firstUnseen(turns: readonly LogTurn[], since: number | null): string | null {
  if (since === null) return null;
  for (const turn of turns) for (const line of turn.lines) if (line.number > since) return line.key;
  return null;
}

/** The entries without the moves that were taken back. */
export function withoutUndone(entries: readonly Entry[]): Entry[] {
  let kept: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'undo') {
      const first = entry.back ?? Infinity;
      kept = kept.filter((other) => other.kind !== 'move' || other.number < first);
    } else kept.push(entry);
  }
  return kept;
}

export interface GameStats {
  /** Each seat's score after each move by a player, from 0 on. */
  curves: number[][];
  rules: string[];
  /** Points of each seat by rule. */
  byRule: Map<string, number>[];
  /** The moves that scored most, best first. */
  best: { seat: number; points: number; text: string; number: number; places: string[] }[];
}

/** Statistics of a game. `ends` are the final scores, from which the scores at the start follow. Final scoring is nobody's best move. */
export function gameStats(
  entries: readonly Entry[],
  seats: number,
  ends: readonly number[] = [],
  partOf: PartOf = defaultPart,
): GameStats {
  const sums = new Array<number>(seats).fill(0);
  for (const entry of withoutUndone(entries))
    if (entry.kind === 'move')
      for (const line of entry.events.flatMap((event) => event.lines))
        sums[line.seat] = (sums[line.seat] ?? 0) + line.points;
  const scores = sums.map((sum, seat) => (ends[seat] ?? sum) - sum);
  const curves = scores.map((score) => [score]);
  const byRule = scores.map(() => new Map<string, number>());
  const rules: string[] = [];
  const best: GameStats['best'] = [];
  for (const entry of withoutUndone(entries)) {
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
