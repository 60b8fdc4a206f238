// Made by `npm run types` from schemas/server-messages.json. Do not edit.

export type Message =
  | Ack
  | Chat
  | Failed
  | Hello
  | Hint
  | Notice
  | Planned
  | Pong
  | PresenceChanged
  | Previewed
  | TableChanged
  | Update
  | WhyNot;

export interface Shapes {
  Message?: Message;
  Ack?: Ack;
  Chat?: Chat;
  ChatLine?: ChatLine;
  Clock?: Clock;
  ClockFace?: ClockFace;
  DecisionInfo?: DecisionInfo;
  EntryInfo?: EntryInfo;
  ExpectedStep?: ExpectedStep;
  Failed?: Failed;
  Hello?: Hello;
  Hint?: Hint;
  HintOffer?: HintOffer;
  Notice?: Notice;
  OtherMove?: OtherMove;
  Planned?: Planned;
  Pong?: Pong;
  Presence?: Presence;
  PresenceChanged?: PresenceChanged;
  Previewed?: Previewed;
  SeatInfo?: SeatInfo;
  TableChanged?: TableChanged;
  TableInfo?: TableInfo;
  UndoOffer?: UndoOffer;
  UndoRequest?: UndoRequest;
  Update?: Update;
  WhyNot?: WhyNot;
}
/**
 * Done, where no update follows.
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
/**
 * Something that was said. `person` is what everybody may know its speaker by; workers of earlier versions leave it
 *     out.
 */
export interface ChatLine {
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  at: number;
  id: number;
  name: string;
  person?: string | null;
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
 * The first message. `entries` are those after `since`, or all. `plan`: this seat can plan ahead (`AskPlan`).
 */
export interface Hello {
  asked: UndoRequest | null;
  chat: ChatLine[];
  clocks: ClockFace[];
  decision: DecisionInfo | null;
  entries: EntryInfo[];
  hint: HintOffer;
  legal: unknown;
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  now: number;
  plan: boolean;
  presence: Presence;
  protocol: number;
  seat: number | null;
  table: TableInfo;
  type: 'hello';
  undo: UndoOffer;
  version: number;
  view: unknown;
}
/**
 * Somebody asks the other people at the table to let a move be taken back: `number` names the question, `seat` is
 *     whose move it is, `agreed` and `waiting` are the seats that have agreed and that must still answer. `shown`: the
 *     seat has seen something since that it could not know before.
 */
export interface UndoRequest {
  agreed: number[];
  number: number;
  seat: number;
  shown: boolean;
  waiting: number[];
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
export interface DecisionInfo {
  due: boolean;
  id: string;
}
/**
 * One line of the table's log. For a move, `events` tell what happened as this viewer may know it; `move` is its
 *     notation, null where the viewer may not know it. For all else `text` says it; `{0}` is the name of seat 0. `back` is
 *     there for an undo: the number of the first move that it takes back; all moves from there on are gone.
 */
export interface EntryInfo {
  at: number;
  back: number | null;
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
 * Whether this connection's seat may ask for hints; if not, `why` says so in words.
 */
export interface HintOffer {
  allowed: boolean;
  why: string;
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
 *     `hints`, `badges` (points shown before a move) and `takebacks` are what is allowed at this table. `updated` is the
 *     time of the last entry of its log. If the game `goes_on` from another one, its chairs and options are fixed. A
 *     `rated` game counts for the ratings of its players.
 */
export interface TableInfo {
  badges: boolean;
  clock: Clock;
  created: number;
  finished: number | null;
  game: string;
  goes_on: boolean;
  hints: 'all' | 'beginners' | 'off';
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
  rated: boolean;
  rematch: string | null;
  scores: number[];
  seats: SeatInfo[];
  seed: string | null;
  seed_hash: string;
  started: number | null;
  state: 'finished' | 'open' | 'playing';
  takebacks: 'ask' | 'free' | 'off';
  title: string;
  updated: number;
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
 *     says for what reason; `once`: for one move only, then the seat is the person's again). `person` is what everybody
 *     may know its person by, the same at all tables; null for bots, open chairs and on a device. `away`: until when the
 *     person is on vacation, in milliseconds since 1970; 0 if they are not.
 */
export interface SeatInfo {
  away?: number;
  bot: string | null;
  kind: 'bot' | 'open' | 'person';
  mine: boolean;
  name: string;
  once: boolean;
  person: string | null;
  seat: number;
  why: '' | 'handover' | 'resigned' | 'timeout';
}
/**
 * What undo would do now for this connection's seat. `free`: back to one's last decision; `takeback`: the same,
 *     though something new was shown since, and the same draws come again; `ask`: the other people must agree; `""`: not
 *     now. `why` says it in words. `number` is the entry of the move that would be taken back.
 */
export interface UndoOffer {
  kind: '' | 'ask' | 'free' | 'takeback';
  number: number | null;
  why: string;
}
/**
 * The move that a bot would choose, and why: `reasons` in words and points, the `line` that is expected, what the
 *     best candidates (`others`, the move itself first) would give, and the winning `chance` after it. A bot that does not
 *     search gives reasons alone.
 */
export interface Hint {
  chance?: number | null;
  id: string;
  line?: ExpectedStep[];
  move: string;
  others?: OtherMove[];
  proved?: boolean;
  reasons?: string[];
  type: 'hint';
  words: string;
}
/**
 * One step of what is expected: who plays, and what, in words. Where that is open, `words` is empty, and `depends`
 *     says on what: `draw`, `hidden` cards, or a `choice` of moves that are as likely. `often` is in which part of the
 *     games that were played on it came so, from 0 to 1. `points` is what the turn brings on average; null where all
 *     choose at once.
 */
export interface ExpectedStep {
  depends: '' | 'choice' | 'draw' | 'hidden';
  often: number;
  points: number | null;
  seat: number;
  words: string;
}
/**
 * A candidate, the best one first: the `lead` that it is expected to give, with its standard error, and by how many
 *     points it is `behind` the best, with the standard `error` of that.
 */
export interface OtherMove {
  behind: number;
  error: number;
  lead: number;
  lead_error: number;
  move: string;
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
/**
 * What a seat that plans ahead chooses from, at this version of the table: its view and its legal moves, as if it
 *     were its turn. Moves that it can make at once are left out.
 */
export interface Planned {
  id: string;
  legal: {
    [k: string]: unknown;
  }[];
  type: 'plan';
  version: number;
  view: {
    [k: string]: unknown;
  };
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
 * What the move would do. `certain` is false where chance or a secret comes in: then only what is sure is in it.
 *
 *     `offers` are the moves that the seat could make next to score at once, such as to claim what the move completes,
 *     each with the score lines it would add; `gains` and `lines` are those of the move alone.
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
  offers: {
    [k: string]: unknown;
  }[];
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
 *     is among it: it is stored for good. `undo` says what undo would do now, `asked` whether somebody waits for an answer
 *     to a takeback.
 */
export interface Update {
  ack?: string | null;
  asked: UndoRequest | null;
  clocks: ClockFace[];
  decision: DecisionInfo | null;
  entries: EntryInfo[];
  hint: HintOffer;
  legal: unknown;
  /**
   * Milliseconds since 1970 (UTC), or a span of milliseconds.
   */
  now: number;
  plan: boolean;
  type: 'update';
  undo: UndoOffer;
  version: number;
  view: unknown;
}
/**
 * `refusal` is null if the move is legal.
 */
export interface WhyNot {
  id: string;
  move: string;
  refusal: string | null;
  type: 'why';
}
