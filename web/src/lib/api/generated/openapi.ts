// Made by `npm run types` from schemas/openapi.json. Do not edit.

export interface Shapes {
  Analysis?: Analysis;
  BotInfo?: BotInfo;
  ChairBody?: ChairBody;
  ChangeBody?: ChangeBody;
  Clock?: Clock;
  ClockBody?: ClockBody;
  Done?: Done;
  EntryInfo?: EntryInfo;
  ErrorBody?: ErrorBody;
  GameDetails?: GameDetails;
  GameInfo?: GameInfo;
  HandOverBody?: HandOverBody;
  JoinBody?: JoinBody;
  JudgedMove?: JudgedMove;
  LoginBody?: LoginBody;
  LogoutBody?: LogoutBody;
  Me?: Me;
  Moment?: Moment;
  NameBody?: NameBody;
  NameSeatBody?: NameSeatBody;
  NewTable?: NewTable;
  PasswordBody?: PasswordBody;
  Ready?: Ready;
  RecordBody?: RecordBody;
  Replay?: Replay;
  ReplayMoment?: ReplayMoment;
  SeatBody?: SeatBody;
  SeatInfo?: SeatInfo;
  SeatSum?: SeatSum;
  SeatWish?: SeatWish;
  Session?: Session;
  SetSeatBody?: SetSeatBody;
  TableInfo?: TableInfo;
  TableList?: TableList;
  TableLog?: TableLog;
  Verdict?: Verdict;
}
export interface Analysis {
  done?: number;
  message?: string;
  missed?: number;
  moves?: JudgedMove[];
  seats?: SeatSum[];
  state: 'none' | 'waiting' | 'thinking' | 'done' | 'failed';
  total?: number;
}
export interface JudgedMove {
  best: {
    [k: string]: unknown;
  } | null;
  choices: number;
  error: number;
  lead: number;
  lost: number;
  move: string;
  number: number;
  seat: number;
  sure: boolean;
  words: string;
}
export interface SeatSum {
  best: number;
  decisions: number;
  lost: number;
  mistakes: number;
  seat: number;
}
export interface BotInfo {
  for_people: boolean;
  name: string;
  seconds: number;
  strength: string;
  summary: string;
  thinks: string;
}
export interface ChairBody {
  seat: number;
}
export interface ChangeBody {
  badges?: boolean | null;
  clock?: ClockBody | null;
  hints?: 'off' | 'all' | 'beginners' | null;
  options?: {
    [k: string]: unknown;
  } | null;
  private?: boolean | null;
  takebacks?: 'off' | 'ask' | 'free' | null;
}
export interface ClockBody {
  days?: number;
  increment?: number;
  kind?: 'none' | 'move' | 'game' | 'days';
  seconds?: number;
}
export interface Clock {
  days?: number;
  increment?: number;
  kind?: 'none' | 'move' | 'game' | 'days';
  seconds?: number;
}
export interface Done {
  done?: boolean;
}
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
export interface ErrorBody {
  code: string;
  message: string;
}
export interface GameDetails {
  box: {
    [k: string]: unknown;
  }[];
  how_to_play: string;
  max_seats: number;
  min_seats: number;
  minutes: string;
  name: string;
  notation: string;
  options: {
    [k: string]: unknown;
  }[];
  rules: string;
  rules_version: number;
  secret: boolean;
  summary: string;
  title: string;
}
export interface GameInfo {
  max_seats: number;
  min_seats: number;
  minutes: string;
  name: string;
  options: {
    [k: string]: unknown;
  }[];
  rules_version: number;
  secret: boolean;
  summary: string;
  title: string;
}
export interface HandOverBody {
  level?: string;
  seat?: number | null;
}
export interface JoinBody {
  invite?: string | null;
  seat?: number | null;
}
export interface LoginBody {
  name: string;
  password: string;
}
export interface LogoutBody {
  everywhere?: boolean;
}
export interface Me {
  account: boolean;
  id: string;
  name: string;
}
export interface Moment {
  number: number;
  table: string;
}
export interface NameBody {
  name: string;
}
export interface NameSeatBody {
  name: string;
  seat: number;
}
export interface NewTable {
  badges?: boolean | null;
  clock?: ClockBody;
  from?: Moment | null;
  game?: string;
  hints?: 'off' | 'all' | 'beginners' | null;
  name?: string | null;
  options?: {
    [k: string]: unknown;
  };
  private?: boolean;
  record?: string | null;
  /**
   * @minItems 1
   * @maxItems 12
   */
  seats: SeatWish[];
  start?: boolean;
  takebacks?: 'off' | 'ask' | 'free' | null;
}
export interface SeatWish {
  kind: 'me' | 'open' | 'bot';
  level?: string;
  name?: string | null;
}
export interface PasswordBody {
  old?: string | null;
  password: string;
}
export interface Ready {
  channels: string;
  database: string;
  ready: boolean;
}
export interface RecordBody {
  record: string;
}
export interface Replay {
  moments: ReplayMoment[];
  version: number;
}
export interface ReplayMoment {
  entry: EntryInfo;
  number: number;
  outcome: {
    [k: string]: unknown;
  } | null;
  scores: number[];
  view: {
    [k: string]: unknown;
  } | null;
}
export interface SeatBody {
  seat?: number | null;
}
export interface SeatInfo {
  bot: string | null;
  kind: 'open' | 'person' | 'bot';
  mine: boolean;
  name: string;
  once: boolean;
  seat: number;
  why: '' | 'handover' | 'timeout' | 'resigned';
}
export interface Session {
  me: Me | null;
}
export interface SetSeatBody {
  kind: 'bot' | 'open';
  level?: string;
  seat: number;
}
export interface TableInfo {
  badges: boolean;
  clock: Clock;
  created: number;
  finished: number | null;
  game: string;
  hints: 'off' | 'all' | 'beginners';
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
  state: 'open' | 'playing' | 'finished';
  takebacks: 'off' | 'ask' | 'free';
  title: string;
  version: number;
  waiting: number[];
}
export interface TableList {
  tables: TableInfo[];
}
export interface TableLog {
  entries: EntryInfo[];
  version: number;
}
export interface Verdict {
  draws: number;
  message: string;
  ok: boolean;
}
