/** The server's messages by the names that the page uses. The types are generated; fields that all games share are narrowed here. */
import type * as Http from './generated/openapi';
import type * as Server from './generated/server-messages';

export type {
  ChatLine,
  Clock,
  ClockFace,
  DecisionInfo as Decision,
  HintOffer,
  Presence,
  SeatInfo,
  UndoOffer,
  UndoRequest,
} from './generated/server-messages';

export type {
  Leaderboard,
  PlayedGame,
  PlayedGames,
  Profile,
  RatingMoment,
  Standing,
  Statistics,
  TableRatings,
  TrendGame,
} from './generated/openapi';

export interface Outcome {
  scores: number[];
  ranks: number[];
  winners: number[];
  reason: string;
  resigned?: number[];
}

export type TableInfo = Omit<Server.TableInfo, 'outcome' | 'options'> & {
  outcome: Outcome | null;
  options: Record<string, unknown>;
};

/** What a table allows beyond the rules: hints, points before a move, takebacks. */
export type Assistance = Pick<Server.TableInfo, 'hints' | 'badges' | 'takebacks'>;

/** A reason for points. `where` lists places in the game's own coordinates. */
export interface ScoreLine {
  seat: number;
  rule: string;
  points: number;
  where: unknown[];
  why: string;
}

export interface GameEvent {
  kind: string;
  seat: number;
  text: string;
  data: Record<string, unknown>;
  lines: ScoreLine[];
}

export type Entry = Omit<Server.EntryInfo, 'events' | 'back'> & { events: GameEvent[]; back?: number | null };

/** What a seat may see. All games share these fields; the types of `position` and `extra` are the game's own. */
export interface View<Position = unknown, Extra = unknown> {
  game: string;
  seat: number | null;
  seats: number;
  /** The seats that may act now. */
  active: number[];
  /** The seats that the game waits for. */
  due: number[];
  scores: number[];
  outcome: Outcome | null;
  position: Position;
  extra: Extra;
}

/**
 * A legal move: notation, words, the points it scores at once, the most points that a follow-up would add (such as a claim), and
 * the game's own fields.
 */
export type Legal<Fields = object> = Fields & { move: string; words: string; points?: number | null; offer?: number };

/** A move that could follow at once, and the points it would add. */
export interface Offer {
  move: string;
  lines: ScoreLine[];
}

export type Preview = Omit<Server.Previewed, 'events' | 'lines' | 'offers'> & {
  events: GameEvent[];
  lines: ScoreLine[];
  offers: Offer[];
};

type State = { view: View | null; legal: Legal[]; entries: Entry[] };
export type Hello = Omit<Server.Hello, 'view' | 'legal' | 'entries' | 'table'> & State & { table: TableInfo };
export type Update = Omit<Server.Update, 'view' | 'legal' | 'entries'> & State;
export type FromServer =
  | Hello
  | Update
  | { type: 'table'; table: TableInfo }
  | Preview
  | Exclude<Server.Message, { type: 'hello' | 'update' | 'table' | 'preview' }>;
export type { Message as FromClient } from './generated/client-messages';

// --- HTTP -----------------------------------------------------------------------------------------------------------

export type {
  AlertSettings,
  AvoidedInfo as Avoided,
  BotInfo,
  Choices as AlertChoices,
  Friend,
  Inbox,
  Invitation,
  Me as Person,
  NewTable as TableWish,
  Search,
  SearchBody as SearchWish,
  SeatWish,
  SubscriptionBody as PushBrowser,
  Turn,
  Vacation,
  Verdict,
  Waiting,
} from './generated/openapi';

/** Why a move: reasons, what is expected, and what the best candidates would give. Older analyses lack all of it. */
export type Why = Pick<Server.Hint, 'reasons' | 'line' | 'others' | 'chance' | 'proved'>;
export type { ExpectedStep, Hint, OtherMove } from './generated/server-messages';

/** The analysis of one move of a finished game. */
export type JudgedMove = Omit<Http.JudgedMove, 'best'> & { best: Legal | null };
/** Analyses that were stored before there were reviews lack one. */
export type Analysis = Required<Omit<Http.Analysis, 'moves' | 'review'>> & {
  moves: JudgedMove[];
  review?: Http.SeatReview[];
};

/** A puzzle without its solution. */
export type Puzzle = Omit<Http.PuzzleInfo, 'view' | 'legal'> & { view: View; legal: Legal[] };
/** A move that the search compared closely, and what a puzzle says about a move. */
export type PuzzleRow = Omit<Http.JudgedRow, 'lines' | 'fields'> & { lines: ScoreLine[]; fields: Legal };
export type PuzzleVerdict = Omit<Http.PuzzleVerdict, 'moves'> & { moves: PuzzleRow[] };
export type PuzzlePreview = Omit<Preview, 'type' | 'id'>;

export interface OptionInfo {
  name: string;
  title: string;
  help: string;
  choices: { value: string | number | boolean; help: string }[];
  default: unknown;
}

export type GameInfo = Omit<Http.GameInfo, 'options'> & { options: OptionInfo[] };
export type GameDetail = Omit<Http.GameDetails, 'options'> & { options: OptionInfo[] };
export type Moment = Omit<Http.ReplayMoment, 'entry' | 'view' | 'outcome'> & {
  entry: Entry | null;
  view: View;
  outcome: Outcome | null;
};
