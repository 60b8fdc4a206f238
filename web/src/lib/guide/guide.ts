/** A guided first game: a real table from a prepared position, with instructions beside it. */
import type { Entry } from '../api/types';
import { readStoredRecord, writeStored } from '../storage';

export interface GuideStep {
  /** `{bot}` is the name of the bot, `{score}` and `{bot score}` are the current scores. */
  say: string;
  /** Spaces of the board to highlight. */
  light?: string[];
  /** CSS selectors of elements outside the board to point at. */
  point?: string[];
  /** What ends the step: a move of mine, or the button. While a step waits for the button, moves of others are held back. */
  until: 'move' | 'next';
  /** A regular expression for the notation of the advised move. Other moves are allowed, with a remark. */
  expect?: string;
  /** Only the advised move ends the step, because the next text would be wrong after another move. */
  again?: boolean;
  /** Shown only to people who have followed all advice so far. */
  advised?: boolean;
}

/** The content of a game's `guide.json`. The search checks the advised moves (tests/bots/test_guides.py). */
export interface Guide {
  /** A position for me, in seat 0, against one bot. */
  position: { game: string; options?: object };
  steps: GuideStep[];
  /** A section of the rules to read next, by its heading. */
  read: string;
  /** A regular expression for moves that only complete an earlier choice: they end a step only if they are advised. */
  details?: string;
}

export interface Progress {
  step: number;
  remark: string;
  /** My moves so far: their numbers in the log, and the steps before them. */
  moves?: { number: number; step: number }[];
  /** Whether some advice was not followed. */
  off?: boolean;
  /** The version of the table that is shown while moves of others are held back; left out if they are not. */
  held?: number;
}

export const NOT_STARTED: Progress = { step: 0, remark: '' };

/** A record that begins at the guide's position. */
export function recordOf({ position }: Guide): string {
  const head = [`Game: ${position.game}`, 'Rules: 1', 'Seats: 2'];
  if (position.options) head.push(`Options: ${JSON.stringify(position.options)}`);
  return `${[...head, `Position: ${JSON.stringify(position)}`].join('\n')}\n\n`;
}

export const NOT_YET = 'That is fine too. The advice still stands.';
export const ANOTHER_WAY = 'That is another way, and a legal one. Undo is in the menu if you want to try the advice.';

/** The progress after more entries. A move that comes early skips the steps before it; an undo goes back. */
export function advance(
  steps: readonly GuideStep[],
  at: Progress,
  entries: readonly Entry[],
  seat: number,
  details?: string,
): Progress {
  let { step, remark, moves = [] } = at;
  for (const entry of entries) {
    if (entry.kind === 'undo') {
      // An undo may take several moves back, mine or not: go back to the step before the first of mine.
      const first = moves.find((move) => move.number >= (entry.back ?? Infinity));
      if (!first) continue;
      step = first.step;
      moves = moves.slice(0, moves.indexOf(first));
      remark = '';
    } else if (entry.kind === 'move' && entry.seat === seat) {
      const asked = steps.findIndex((each, i) => i >= step && each.until === 'move');
      if (asked < 0) continue;
      moves = [...moves, { number: entry.number, step: asked }];
      const { expect } = steps[asked] as GuideStep;
      const is = (pattern?: string) => pattern !== undefined && new RegExp(pattern).test(entry.move ?? '');
      const other = expect !== undefined && entry.move !== null && !is(expect);
      if (!is(expect) && is(details)) continue;
      const stay = other && steps[asked]?.again;
      remark = stay ? NOT_YET : other ? ANOTHER_WAY : '';
      step = stay ? asked : asked + 1;
    }
  }
  return { step, remark, moves };
}

/** Skips steps that are only for people who have followed all advice. */
export function skipAdvised(steps: readonly GuideStep[], step: number, off: boolean): number {
  while (off && steps[step]?.advised) step++;
  return step;
}

/** A text of the guide with the bot's name and the scores filled in. */
export function fillGuideText(say: string, names: readonly string[], scores: readonly number[], seat: number): string {
  const bot = names.findIndex((_, other) => other !== seat);
  const words: Record<string, string> = {
    bot: names[bot] ?? '',
    score: String(scores[seat] ?? 0),
    'bot score': String(scores[bot] ?? 0),
  };
  return say.replace(/\{([a-z ]+)\}/g, (mark, name: string) => words[name] ?? mark);
}

const guides = import.meta.glob<Guide>('../../games/*/guide.json', { import: 'default' });
const path = (game: string) => `../../games/${game}/guide.json`;

export const hasGuide = (game: string): boolean => path(game) in guides;

export async function loadGuide(game: string): Promise<Guide | null> {
  return (await guides[path(game)]?.()) ?? null;
}

// --- the progress at each guided table, stored in this browser ----------------------------------------------------------

const KEY = 'wellies.guide';
const MAX_TABLES = 10;

const readAll = () => readStoredRecord<Progress>(KEY);

export const progressOf = (table: string): Progress | null => readAll()[table] ?? null;

/** The version at which moves of others are held back for the guide; null: they are not. */
export const heldAt = (table: string): number | null => progressOf(table)?.held ?? null;

/** Stores the progress at a table; null: the guide is done there. */
export function saveProgress(table: string, progress: Progress | null): void {
  const others = Object.entries(readAll()).filter(([id]) => id !== table);
  const all = progress === null ? others : [...others, [table, progress] as const];
  writeStored(KEY, Object.fromEntries(all.slice(-MAX_TABLES)));
}
