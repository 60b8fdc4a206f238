/** A guided first game: a real table from a prepared position, with a few words beside it. What is legal is the server's. */
import type { Entry } from '../api/types';

export interface GuideStep {
  say: string;
  /** Spaces of the board to light up while this is said. */
  light?: string[];
  /** What leads on: a move of mine, or the button. */
  until: 'move' | 'next';
  /** A regular expression on the notation of the move that is advised. Others are allowed, and gently remarked on. */
  expect?: string;
}

export interface Guide {
  /** A record whose header has a Position and which has no moves: me against one bot. */
  record: string;
  steps: GuideStep[];
}

export interface Progress {
  step: number;
  remark: string;
}

export const BEGIN: Progress = { step: 0, remark: '' };

export const ANOTHER_WAY = 'That is another way, and a legal one. Undo is in the menu if you want to try the advice.';

/** Where the guide stands after more lines of the log. A move that comes early skips what leads up to it; undo goes back. */
export function follow(steps: readonly GuideStep[], at: Progress, entries: readonly Entry[], seat: number): Progress {
  let { step, remark } = at;
  for (const entry of entries) {
    if (entry.seat !== seat) continue;
    if (entry.kind === 'move') {
      const asked = steps.findIndex((each, i) => i >= step && each.until === 'move');
      if (asked < 0) continue;
      const { expect } = steps[asked] as GuideStep;
      const other = expect !== undefined && entry.move !== null && !new RegExp(expect).test(entry.move);
      remark = other ? ANOTHER_WAY : '';
      step = asked + 1;
    } else if (entry.kind === 'undo') {
      const before = steps.findLastIndex((each, i) => i < step && each.until === 'move');
      if (before >= 0) step = before;
      remark = '';
    }
  }
  return { step, remark };
}

const guides = import.meta.glob<{ guide: Guide }>('../../games/*/guide.ts');
const path = (game: string) => `../../games/${game}/guide.ts`;

export const hasGuide = (game: string): boolean => path(game) in guides;

export async function loadGuide(game: string): Promise<Guide | null> {
  const load = guides[path(game)];
  return load ? (await load()).guide : null;
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

/** Null: the guide has said all it has to say at this table. */
export function keepProgress(table: string, progress: Progress | null): void {
  const others = Object.entries(read()).filter(([id]) => id !== table);
  const kept = progress === null ? others : [...others, [table, progress] as const];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept.slice(-10))));
  } catch {
    // Without storage the guide is forgotten on a reload, and nothing else.
  }
}
