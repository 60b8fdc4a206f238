// Made by `npm run types` from schemas/openapi.json. Do not edit.

export interface Shapes {
  Against?: Against;
  AlertSettings?: AlertSettings;
  Analysis?: Analysis;
  AvoidBody?: AvoidBody;
  AvoidedInfo?: AvoidedInfo;
  AvoidedList?: AvoidedList;
  BotInfo?: BotInfo;
  ChairBody?: ChairBody;
  ChangeBody?: ChangeBody;
  Choices?: Choices;
  Clock?: Clock;
  ClockBody?: ClockBody;
  Confirmed?: Confirmed;
  DeleteBody?: DeleteBody;
  Done?: Done;
  EmailBody?: EmailBody;
  EndpointBody?: EndpointBody;
  EntryInfo?: EntryInfo;
  ErrorBody?: ErrorBody;
  ExpectedStep?: ExpectedStep;
  FoundProfile?: FoundProfile;
  Friend?: Friend;
  FriendBody?: FriendBody;
  FriendLink?: FriendLink;
  FriendList?: FriendList;
  FriendName?: FriendName;
  GameCount?: GameCount;
  GameDetails?: GameDetails;
  GameInfo?: GameInfo;
  HandOverBody?: HandOverBody;
  Inbox?: Inbox;
  Invitation?: Invitation;
  InviteBody?: InviteBody;
  JoinBody?: JoinBody;
  JudgedMove?: JudgedMove;
  JudgedRow?: JudgedRow;
  Leaderboard?: Leaderboard;
  LoginBody?: LoginBody;
  LogoutBody?: LogoutBody;
  Me?: Me;
  Moment?: Moment;
  MoveBody?: MoveBody;
  NameBody?: NameBody;
  NameSeatBody?: NameSeatBody;
  NewTable?: NewTable;
  OtherMove?: OtherMove;
  PasswordBody?: PasswordBody;
  PlayedGame?: PlayedGame;
  PlayedGames?: PlayedGames;
  PlayedSeat?: PlayedSeat;
  PreferenceChange?: PreferenceChange;
  PreferenceInfo?: PreferenceInfo;
  PreferencesBody?: PreferencesBody;
  PreferencesInfo?: PreferencesInfo;
  Profile?: Profile;
  PuzzleCalendar?: PuzzleCalendar;
  PuzzleInfo?: PuzzleInfo;
  PuzzlePreview?: PuzzlePreview;
  PuzzleVerdict?: PuzzleVerdict;
  RatingChange?: RatingChange;
  RatingMoment?: RatingMoment;
  RatingTrend?: RatingTrend;
  Ready?: Ready;
  RecordBody?: RecordBody;
  Replay?: Replay;
  ReplayMoment?: ReplayMoment;
  RuleShare?: RuleShare;
  Search?: Search;
  SearchBody?: SearchBody;
  SeatBody?: SeatBody;
  SeatInfo?: SeatInfo;
  SeatReview?: SeatReview;
  SeatSum?: SeatSum;
  SeatWish?: SeatWish;
  Sent?: Sent;
  Session?: Session;
  SetSeatBody?: SetSeatBody;
  Standing?: Standing;
  Statistics?: Statistics;
  Stopped?: Stopped;
  SubscriptionBody?: SubscriptionBody;
  TableInfo?: TableInfo;
  TableList?: TableList;
  TableLog?: TableLog;
  TableRatings?: TableRatings;
  TokenBody?: TokenBody;
  TrendGame?: TrendGame;
  Turn?: Turn;
  Vacation?: Vacation;
  VacationBody?: VacationBody;
  Verdict?: Verdict;
  Waiting?: Waiting;
  WaitingList?: WaitingList;
  WebhookBody?: WebhookBody;
  WhyAnswer?: WhyAnswer;
}
export interface Against {
  ahead: number;
  behind: number;
  bot: string | null;
  games: number;
  level: number;
  name: string;
  person: string | null;
}
export interface AlertSettings {
  available: ('push' | 'email' | 'webhook')[];
  browsers: number;
  choices: Choices;
  confirmed: boolean;
  email: string;
  push_key: string;
  webhook: string;
}
export interface Choices {
  /**
   * @maxItems 8
   */
  email?: ('turn' | 'invitation' | 'found' | 'clock')[];
  /**
   * @maxItems 8
   */
  push?: ('turn' | 'invitation' | 'found' | 'clock')[];
  quiet_from?: number | null;
  quiet_to?: number | null;
  /**
   * @maxItems 8
   */
  webhook?: ('turn' | 'invitation' | 'found' | 'clock')[];
  zone?: string;
}
export interface Analysis {
  done?: number;
  message?: string;
  missed?: number;
  moves?: JudgedMove[];
  review?: SeatReview[];
  seats?: SeatSum[];
  state: 'none' | 'waiting' | 'thinking' | 'done' | 'failed';
  total?: number;
}
export interface JudgedMove {
  best: {
    [k: string]: unknown;
  } | null;
  best_chance?: number | null;
  chance?: number | null;
  choices: number;
  error: number;
  gap?: number;
  kind?: string;
  lead: number;
  line?: ExpectedStep[];
  lost: number;
  move: string;
  number: number;
  others?: OtherMove[];
  proved?: boolean;
  reasons?: string[];
  seat: number;
  sure: boolean;
  words: string;
}
export interface ExpectedStep {
  depends: '' | 'draw' | 'hidden' | 'choice';
  often: number;
  points: number | null;
  seat: number;
  words: string;
}
export interface OtherMove {
  behind: number;
  error: number;
  lead: number;
  lead_error: number;
  move: string;
  words: string;
}
export interface SeatReview {
  seat: number;
  sentences: string[];
}
export interface SeatSum {
  best: number;
  decisions: number;
  lost: number;
  mistakes: number;
  seat: number;
}
export interface AvoidBody {
  invite?: string | null;
  kind: 'mute' | 'block';
  /**
   * How others know a person.
   */
  person: string;
  table: string;
}
export interface AvoidedInfo {
  at: number;
  kind: 'mute' | 'block';
  name: string;
  person: string;
}
export interface AvoidedList {
  people: AvoidedInfo[];
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
  rated?: boolean | null;
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
export interface Confirmed {
  email: string;
}
export interface DeleteBody {
  confirm: boolean;
  password?: string | null;
}
export interface Done {
  done?: boolean;
}
export interface EmailBody {
  email: string;
}
export interface EndpointBody {
  endpoint: string;
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
export interface FoundProfile {
  profile: Profile | null;
}
export interface Profile {
  games: GameCount[];
  name: string;
  person: string | null;
  ratings: Standing[];
  since: number;
}
export interface GameCount {
  game: string;
  games: number;
}
export interface Standing {
  bot: string | null;
  deviation: number;
  game: string;
  games: number;
  name: string;
  person: string | null;
  provisional: boolean;
  rating: number;
}
export interface Friend {
  handle: string;
  here: boolean;
  name: string;
  state: 'friend' | 'asked' | 'asks';
}
export interface FriendBody {
  code?: string | null;
  name?: string | null;
}
export interface FriendLink {
  code: string;
}
export interface FriendList {
  friends: Friend[];
}
export interface FriendName {
  name: string;
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
export interface Inbox {
  asks: number;
  invitations: Invitation[];
  now: number;
  search: Search | null;
  turns: Turn[];
}
export interface Invitation {
  again: boolean;
  at: number;
  game: string;
  invite: string;
  name: string;
  table: string;
  title: string;
}
export interface Search {
  game: string;
  id: string;
  pace: '5 minutes' | '10 minutes' | '30 minutes' | '3 days' | 'no clock';
  seats: number[];
  since: number;
  table: string | null;
  title: string;
  waiting: number;
}
export interface Turn {
  deadline: number | null;
  game: string;
  mine: boolean;
  table: string;
  title: string;
}
export interface InviteBody {
  friend: string;
}
export interface JoinBody {
  invite?: string | null;
  seat?: number | null;
}
export interface JudgedRow {
  best: boolean;
  error: number;
  fields: {
    [k: string]: unknown;
  };
  lines: {
    [k: string]: unknown;
  }[];
  lost: number;
  mine: number;
  move: string;
  obvious: boolean;
  points: number;
  theirs: number;
  words: string;
}
export interface Leaderboard {
  game: string;
  more: boolean;
  standings: Standing[];
  start: number;
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
export interface MoveBody {
  /**
   * A move in the game's notation.
   */
  move: string;
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
  rated?: boolean;
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
export interface PlayedGame {
  decisions: number;
  finished: number;
  game: string;
  judged: number | null;
  lost: number | null;
  not_counted: string;
  rank: number;
  rated: boolean;
  rating: number | null;
  result: 'won' | 'shared' | 'lost' | 'several';
  score: number;
  seats: PlayedSeat[];
  started: number;
  table: string;
}
export interface PlayedSeat {
  bot: string | null;
  mine: boolean;
  name: string;
  person: string | null;
  rank: number;
  score: number;
  seat: number;
}
export interface PlayedGames {
  games: PlayedGame[];
  next: string | null;
}
export interface PreferenceChange {
  age?: number;
  value: string | boolean | number;
}
export interface PreferenceInfo {
  at: number;
  value: string | boolean | number;
}
export interface PreferencesBody {
  preferences: {
    [k: string]: PreferenceChange;
  };
}
export interface PreferencesInfo {
  preferences: {
    [k: string]: PreferenceInfo;
  };
}
export interface PuzzleCalendar {
  first: string;
  games: string[];
}
export interface PuzzleInfo {
  date: string;
  game: string;
  legal: {
    [k: string]: unknown;
  }[];
  names: string[];
  number: number;
  seat: number;
  stars: number;
  title: string;
  view: {
    [k: string]: unknown;
  };
}
export interface PuzzlePreview {
  certain: boolean;
  events: {
    [k: string]: unknown;
  }[];
  gains: number[];
  lines: {
    [k: string]: unknown;
  }[];
  move: string;
  offers: {
    [k: string]: unknown;
  }[];
}
export interface PuzzleVerdict {
  best: boolean;
  boots: number;
  error: number | null;
  lost: number | null;
  move: string;
  moves: JudgedRow[];
  says: string[];
}
export interface RatingChange {
  after: number;
  before: number;
  deviation: number;
  provisional: boolean;
  seat: number;
}
export interface RatingMoment {
  finished: number;
  rating: number;
  table: string;
}
export interface RatingTrend {
  moments: RatingMoment[];
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
export interface RuleShare {
  points: number;
  rule: string;
}
export interface SearchBody {
  game: string;
  pace: '5 minutes' | '10 minutes' | '30 minutes' | '3 days' | 'no clock';
  /**
   * @minItems 1
   * @maxItems 11
   */
  seats: number[];
}
export interface SeatBody {
  seat?: number | null;
}
export interface SeatInfo {
  away?: number;
  bot: string | null;
  kind: 'open' | 'person' | 'bot';
  mine: boolean;
  name: string;
  once: boolean;
  person: string | null;
  seat: number;
  why: '' | 'handover' | 'timeout' | 'resigned';
}
export interface Sent {
  messages: number;
}
export interface Session {
  me: Me | null;
}
export interface SetSeatBody {
  kind: 'bot' | 'open';
  level?: string;
  seat: number;
}
export interface Statistics {
  against: Against[];
  analysed: TrendGame[];
  average: number | null;
  best: number | null;
  best_table: string | null;
  game: string;
  games: number;
  lost: number;
  recent: TrendGame[];
  rules: RuleShare[];
  several: number;
  shared: number;
  won: number;
}
export interface TrendGame {
  finished: number;
  judged: number | null;
  lost: number | null;
  result: 'won' | 'shared' | 'lost' | 'several';
  score: number;
  table: string;
}
export interface Stopped {
  channel: 'push' | 'email' | 'webhook';
}
export interface SubscriptionBody {
  auth: string;
  endpoint: string;
  p256dh: string;
}
export interface TableInfo {
  badges: boolean;
  clock: Clock;
  created: number;
  finished: number | null;
  game: string;
  goes_on: boolean;
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
  rated: boolean;
  rematch: string | null;
  scores: number[];
  seats: SeatInfo[];
  seed: string | null;
  seed_hash: string;
  started: number | null;
  state: 'open' | 'playing' | 'finished';
  takebacks: 'off' | 'ask' | 'free';
  title: string;
  updated: number;
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
export interface TableRatings {
  changes: RatingChange[];
  not_counted: string | null;
}
export interface TokenBody {
  token: string;
}
export interface Vacation {
  left: number;
  most: number;
  until: number | null;
}
export interface VacationBody {
  days: number;
}
export interface Verdict {
  draws: number;
  message: string;
  ok: boolean;
}
export interface Waiting {
  game: string;
  pace: '5 minutes' | '10 minutes' | '30 minutes' | '3 days' | 'no clock';
  people: number;
}
export interface WaitingList {
  waiting: Waiting[];
}
export interface WebhookBody {
  url: string;
}
export interface WhyAnswer {
  refusal: string | null;
}
