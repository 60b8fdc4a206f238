/** The log in plain words, and the places its lines speak of. */
import type { Entry, GameEvent, ScoreLine } from './api/types';
import { placeKey } from './kit/geometry';

export interface LogLine {
  key: string;
  text: string;
  seat: number | null;
  kind: string;
  places: string[];
  points: number;
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

export function logLines(
  entries: readonly Entry[],
  say: (text: string) => string,
  quiet: readonly string[] = [],
  places: (event: GameEvent) => string[] = (event) => placesOf(event),
): LogLine[] {
  const lines: LogLine[] = [];
  for (const entry of entries) {
    if (entry.text && !entry.events.length) {
      lines.push({
        key: `${entry.number}`,
        text: say(entry.text),
        seat: entry.seat,
        kind: entry.kind,
        places: [],
        points: 0,
      });
    }
    entry.events.forEach((event, i) => {
      if (!event.text || quiet.includes(event.kind)) return;
      lines.push({
        key: `${entry.number}.${i}`,
        text: say(event.text),
        seat: event.seat,
        kind: entry.seat === -1 ? 'chance' : event.kind,
        places: places(event),
        points: event.lines.reduce((sum, line) => sum + line.points, 0),
      });
    });
  }
  return lines;
}

/** Entries that stand: a move that was taken back is not part of the story in numbers. */
export function standing(entries: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'undo') {
      const at = kept.findLastIndex((other) => other.kind === 'move' && other.seat === entry.seat);
      if (at >= 0) kept.splice(at, 1);
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

/** `ends` are the final scores: a game need not begin at nothing. */
export function storyOf(entries: readonly Entry[], seats: number, ends: readonly number[] = []): Story {
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
    const mine = lines.filter((line) => line.seat === entry.seat);
    const points = mine.reduce((sum, line) => sum + line.points, 0);
    const event = entry.events.find((each) => each.lines.length && each.seat === entry.seat);
    if (points > 0 && event && entry.seat !== null)
      best.push({ seat: entry.seat, points, text: event.text, number: entry.number, places: placesOf(event) });
  }
  best.sort((a, b) => b.points - a.points);
  return { curves, rules, byRule, best: best.slice(0, 3) };
}
