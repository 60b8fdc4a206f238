// Made by `npm run types` from schemas/view-aquarium.json. Do not edit.

export type AnyMove = Draw | First | KeepNet | Net | Put | Restock | Take;
/**
 * Why a game ended, for programs. `Outcome.reason` says it in words.
 */
export type Ending =
  | 'all_passed'
  | 'board_full'
  | 'hands_empty'
  | 'no_moves'
  | 'other'
  | 'resigned'
  | 'rounds_played'
  | 'stopped'
  | 'supply_empty'
  | 'target_reached';
export type MoveFields = Put | Take | Net | Restock | KeepNet | Draw | First;

export interface Shapes {
  AnyMove?: AnyMove;
  AquariumView?: AquariumView;
  BonusEntry?: BonusEntry;
  BoxCard?: BoxCard;
  CardEntry?: CardEntry;
  CardFacts?: CardFacts;
  CardFile?: CardFile;
  Draw?: Draw;
  Ending?: Ending;
  EventShape?: EventShape;
  Extra?: Extra;
  First?: First;
  KeepNet?: KeepNet;
  MoveFields?: MoveFields;
  Net?: Net;
  Options?: Options;
  OutcomeShape?: OutcomeShape;
  Plan?: Plan;
  Position?: Position;
  Put?: Put;
  Reason?: Reason;
  Restock?: Restock;
  ScoreLineShape?: ScoreLineShape;
  Seat?: Seat;
  Take?: Take;
}
export interface Draw {
  card: string;
  kind: 'draw';
}
export interface First {
  kind: 'first';
  seat: number;
}
export interface KeepNet {
  kind: 'keep net';
}
export interface Net {
  kind: 'net';
  spaces: string[];
}
export interface Put {
  card: string;
  kind: 'put';
  replaces: string;
  space: string;
}
export interface Restock {
  kind: 'restock';
}
export interface Take {
  card: string;
  kind: 'take';
  replaces: string;
  space: string;
}
export interface AquariumView {
  active: number[];
  due: number[];
  extra: Extra;
  game: string;
  outcome: OutcomeShape | null;
  position: Position;
  scores: number[];
  seat: number | null;
  seats: number;
}
export interface Extra {
  asked?: boolean[];
  cards: {
    [k: string]: CardFacts;
  };
  placed?: number[];
  plan: Plan | null;
  reasons: Reason[][];
  rounds: number;
  store_size: number;
  to_place?: number;
  values: number[][][];
}
export interface CardFacts {
  base: number;
  text: string;
  type: 'coral' | 'crustacean' | 'decor' | 'fish' | 'gravel' | 'plant' | 'starfish' | 'water';
}
export interface Plan {
  gains: {
    [k: string]: {
      [k: string]: number;
    };
  };
  grid: string[][];
  points: number;
  reasons: Reason[];
  values: number[][];
}
export interface Reason {
  of: string[];
  points: number;
  space: string;
  why: string;
}
/**
 * How the game ended: `reason` in words, `ending` for programs. `resigned` are the seats that gave up.
 */
export interface OutcomeShape {
  ending: Ending;
  ranks: number[];
  reason: string;
  resigned: number[];
  scores: number[];
  winners: number[];
}
export interface Position {
  check?: boolean;
  deck: number;
  discards: string[];
  first?: number;
  game: 'aquarium';
  options: Options;
  phase: 'deal' | 'nets' | 'over' | 'setup' | 'stock' | 'token' | 'turn';
  round: number;
  seats: Seat[];
  store?: string[];
  to_move?: number;
}
export interface Options {
  cards: ('balanced' | 'standard') | CardFile;
}
export interface CardFile {
  cards: CardEntry[];
}
export interface CardEntry {
  base: number;
  bonuses: BonusEntry[];
  copies: number;
  name: string;
  source: 'box' | 'reconstructed' | 'rulebook';
  starter?: boolean;
  type: 'coral' | 'crustacean' | 'decor' | 'fish' | 'gravel' | 'plant' | 'starfish' | 'water';
}
export interface BonusEntry {
  if?: string;
  of?: string | string[];
  other?: boolean;
  per?: string;
  points: number;
  unless?: string;
}
export interface Seat {
  answer?: string;
  aside?: string[];
  grid: string[][];
  hand?: string[];
  net: boolean;
  placed?:
    | {
        [k: string]: string;
      }
    | number;
  restock: boolean;
}
/**
 * A card of the box.
 */
export interface BoxCard {
  base: number;
  copies: number;
  name: string;
  source: 'box' | 'reconstructed' | 'rulebook';
  starter: boolean;
  text: string;
  type: 'coral' | 'crustacean' | 'decor' | 'fish' | 'gravel' | 'plant' | 'starfish' | 'water';
}
/**
 * One event, as the viewer may know it.
 */
export interface EventShape {
  data: {
    [k: string]: unknown;
  };
  kind: string;
  lines: ScoreLineShape[];
  seat: number;
  text: string;
}
/**
 * One reason for some points; `where` lists the places to light up.
 */
export interface ScoreLineShape {
  points: number;
  rule: string;
  seat: number;
  where: unknown[];
  why: string;
}
