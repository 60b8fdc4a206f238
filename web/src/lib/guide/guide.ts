/** A guided first game: a real table from a prepared position, with a few words beside it. What is legal is the server's. */
import type { Entry } from '../api/types';

export interface GuideStep {
  /** `{bot}` is the name of the bot, `{score}` and `{bot score}` are what the table says. */
  say: string;
  /** Spaces of the board to light up while this is said. */
  light?: string[];
  /** Things beside the board to point at, as CSS selectors. */
  point?: string[];
  /** What leads on: a move of mine, or the button. While a step waits for the button, the moves of others wait too. */
  until: 'move' | 'next';
  /** A regular expression on the notation of the move that is advised. Others are allowed, and gently remarked on. */
  expect?: string;
  /** Only the advised move leads on: what is said next would not be true after another. */
  again?: boolean;
  /** Said only to those who have taken all advice so far: it speaks of what came of it. */
  advised?: boolean;
}

/** What a game's `guide.json` holds. The moves it advises are checked by the search (tests/bots/test_guides.py). */
export interface Guide {
  /** Me, in seat 0, against one bot. */
  position: { game: string; options?: object };
  steps: GuideStep[];
  /** A section of the rules to read next, by its heading. */
  read: string;
  /** A regular expression on moves that merely carry out what was chosen before: they lead on only where they are advised. */
  details?: string;
}

export interface Progress {
  step: number;
  remark: string;
  /** My moves so far: the number of each in the log, and the step before it. */
  moves?: { number: number; step: number }[];
  /** Some advice was not taken. */
  off?: boolean;
  /** The version of the table that is shown while the moves of others wait; without it they do not. */
  held?: number;
}

export const NOT_STARTED: Progress = { step: 0, remark: '' };

/** The game that a guide is about, from its position on. */
export function recordOf({ position }: Guide): string {
  const head = [`Game: ${position.game}`, 'Rules: 1', 'Seats: 2'];
  if (position.options) head.push(`Options: ${JSON.stringify(position.options)}`);
  return `${[...head, `Position: ${JSON.stringify(position)}`].join('\n')}\n\n`;
}

export const NOT_YET = 'That is fine too. The advice still stands.';
export const ANOTHER_WAY = 'That is another way, and a legal one. Undo is in the menu if you want to try the advice.';

/** Where the guide stands after more lines of the log. A move that comes early skips what leads up to it; undo goes back. */
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
      // It may take several moves back, and those of others alone: go back to before the first of mine.
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

/** Whoever is off the advised way does not hear of it any more. */
export function skipAdvised(steps: readonly GuideStep[], step: number, off: boolean): number {
  while (off && steps[step]?.advised) step++;
  return step;
}

/** What a guide says, with what is on the table filled in. */
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

// --- which tables are guided, and how far: kept in the browser, so that it holds after a reload ---------------------------

const KEY = 'wellies.guide';
type Kept = Record<string, Progress>;

function read(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

export const progressOf = (table: string): Progress | null => read()[table] ?? null;

/** The version after which the moves of others wait for the guide of a table; null: they do not. */
export const heldAt = (table: string): number | null => progressOf(table)?.held ?? null;

/** Null: the guide has said all it has to say at this table. */
export function saveProgress(table: string, progress: Progress | null): void {
  const others = Object.entries(read()).filter(([id]) => id !== table);
  const kept = progress === null ? others : [...others, [table, progress] as const];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept.slice(-10))));
  } catch {
    // Without storage the guide is forgotten on a reload, and nothing else.
  }
}
