/** What the page and the workers say to each other. */
import type { EngineSource, Progress } from './engineDownload';
import type { Loaded } from './python';

/** The first message to a worker: where its Python is, and the lock that it holds while it lives (see lifeline.ts). */
export interface Start {
  type: 'start';
  source: EngineSource;
  lifeline: string;
}

/** From the page to the worker of the tables. `conn` is the number of a connection, `id` that of a request. */
export type ToTables =
  | Start
  | { type: 'request'; id: number; method: string; path: string; body: string | null }
  | { type: 'connect'; conn: number; path: string }
  | { type: 'receive'; conn: number; text: string }
  | { type: 'disconnect'; conn: number };

export type FromTables =
  | { type: 'alive' }
  | ({ type: 'progress' } & Progress)
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'answer'; id: number; answer: string }
  | { type: 'send'; conn: number; text: string }
  | { type: 'close'; conn: number; code: number; reason: string };

/** From the worker of the tables to that of the bots, and back. */
export type BotWork = 'choose' | 'judge';
export type ToBots = (Start & { loaded: Loaded }) | { type: BotWork; id: number; task: string };
export type FromBots =
  | { type: 'alive' }
  | { type: 'ready' }
  | { type: 'done'; id: number; result: string }
  | { type: 'failed'; message: string };
