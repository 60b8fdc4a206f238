// Made by `npm run types` from schemas/server-messages.json. Do not edit.

export type Message =
  Ack | Chat | Failed | Hello | Hint | Notice | Pong | PresenceChanged | Previewed | TableChanged | Update | Why_;

export interface Shapes {
  Message?: Message;
  Ack?: Ack;
  Chat?: Chat;
  ChatLine?: ChatLine;
  Clock?: Clock;
  ClockFace?: ClockFace;
  Decision?: Decision;
  EntryInfo?: EntryInfo;
  Failed?: Failed;
  Hello?: Hello;
  Hint?: Hint;
  Notice?: Notice;
  Pong?: Pong;
  Presence?: Presence;
  PresenceChanged?: PresenceChanged;
  Previewed?: Previewed;
  SeatInfo?: SeatInfo;
  TableChanged?: TableChanged;
  TableInfo?: TableInfo;
  Update?: Update;
  Why_?: Why_;
}
/**
 * Done, where there is nothing more to tell.
 */
export interface Ack {
  id: string;
  type: 'ack';
  version: number;
}
export interface Chat {
  line: ChatLine;
  type: 'chat';
}
export interface ChatLine {
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  at: number;
  id: number;
  name: string;
  seat: number | null;
  text: string;
}
/**
 * What was asked (`id`, "" if unknown) was not done, and why. The codes are listed in `docs/protocol.md`.
 */
export interface Failed {
  code: string;
  id: string;
  message: string;
  type: 'error';
}
/**
 * The first message. `entries` are those after `since`, or all.
 */
export interface Hello {
  chat: ChatLine[];
  clocks: ClockFace[];
  decision: Decision | null;
  entries: EntryInfo[];
  legal: unknown;
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  now: number;
  presence: Presence;
  protocol: number;
  seat: number | null;
  table: TableInfo;
  type: 'hello';
  version: number;
  view: unknown;
}
/**
 * One seat's time: `left` when the message was made, and whether it is running down.
 */
export interface ClockFace {
  left: number | null;
  running: boolean;
}
/**
 * The choice before this connection's seat. `due`: the game waits for it (else the seat may act, and need not).
 */
export interface Decision {
  due: boolean;
  id: string;
}
/**
 * One line of the table's log. For a move, `events` tell what happened as this viewer may know it; `move` is its
 *     notation, null where the viewer may not know it. For all else `text` says it; `{0}` is the name of seat 0.
 */
export interface EntryInfo {
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  at: number;
  events: {
    [k: string]: unknown;
  }[];
  kind: string;
  move: string | null;
  number: number;
  seat: number | null;
  text: string;
}
/**
 * Who is looking at the table: the seats whose owners are, and how many spectators.
 */
export interface Presence {
  seats: number[];
  watching: number;
}
/**
 * A table as one viewer may know it. `invite` is there for those seated and the host only; `seed` after the end.
 */
export interface TableInfo {
  clock: Clock;
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  created: number;
  finished: number | null;
  game: string;
  host: string;
  hosting: boolean;
  id: string;
  imported: boolean;
  invite: string | null;
  options: {
    [k: string]: unknown;
  };
  outcome: {
    [k: string]: unknown;
  } | null;
  private: boolean;
  rematch: string | null;
  scores: number[];
  seats: SeatInfo[];
  seed: string | null;
  seed_hash: string;
  started: number | null;
  state: 'finished' | 'open' | 'playing';
  title: string;
  version: number;
  waiting: number[];
}
/**
 * How time is kept. `none`; `move`: so many seconds for each decision; `game`: so many seconds for the whole game,
 *     plus an increment for each move; `days`: so many days for each decision.
 */
export interface Clock {
  days?: number;
  increment?: number;
  kind?: 'days' | 'game' | 'move' | 'none';
  seconds?: number;
}
/**
 * One chair. `bot` names the level that plays it now: a bot's own chair, or a person's whose bot stands in (`why`
 *     says for what reason).
 */
export interface SeatInfo {
  bot: string | null;
  kind: 'bot' | 'open' | 'person';
  mine: boolean;
  name: string;
  seat: number;
  why: '' | 'handover' | 'resigned' | 'timeout';
}
export interface Hint {
  id: string;
  move: string;
  type: 'hint';
  words: string;
}
/**
 * Something the people at the table should know: bot trouble, a store that is out of reach, all well again.
 */
export interface Notice {
  code: string;
  message: string;
  type: 'notice';
}
export interface Pong {
  id: string;
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  now: number;
  type: 'pong';
  version: number;
}
export interface PresenceChanged {
  presence: Presence;
  type: 'presence';
}
/**
 * What the move would do. `certain` is false where chance or a secret comes in: then only what is sure is told.
 */
export interface Previewed {
  certain: boolean;
  events: {
    [k: string]: unknown;
  }[];
  gains: number[];
  id: string;
  lines: {
    [k: string]: unknown;
  }[];
  move: string;
  type: 'preview';
}
/**
 * Seats, settings or the state of the table changed (joined, started, finished, rematch...).
 */
export interface TableChanged {
  table: TableInfo;
  type: 'table';
}
/**
 * The table has moved on: all that is new, and how it stands. `ack` names the play or undo of this connection that
 *     is among it: it is stored for good.
 */
export interface Update {
  ack?: string | null;
  clocks: ClockFace[];
  decision: Decision | null;
  entries: EntryInfo[];
  legal: unknown;
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  now: number;
  type: 'update';
  version: number;
  view: unknown;
}
/**
 * `refusal` is null if the move is legal.
 */
export interface Why_ {
  id: string;
  move: string;
  refusal: string | null;
  type: 'why';
}
