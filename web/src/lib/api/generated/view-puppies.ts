// Made by `npm run types` from schemas/view-puppies.json. Do not edit.

export type AnyMove = Bury | Choose | Dig | Draw | Join | Move | Stop | Take | Up;
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
export type MoveFields = Draw | Choose | Take | Join | Bury | Up | Move | Dig | Stop;

export interface Shapes {
  AnyMove?: AnyMove;
  Bone?: Bone;
  BoxCard?: BoxCard;
  BreedBonus?: BreedBonus;
  Bury?: Bury;
  CardTexts?: CardTexts;
  Choose?: Choose;
  Dig?: Dig;
  Draw?: Draw;
  Ending?: Ending;
  EventShape?: EventShape;
  Extra?: Extra;
  Group?: Group;
  Join?: Join;
  Move?: Move;
  MoveFields?: MoveFields;
  Options?: Options;
  OutcomeShape?: OutcomeShape;
  Position?: Position;
  PuppiesView?: PuppiesView;
  ScoreLineShape?: ScoreLineShape;
  Seat?: Seat;
  Stop?: Stop;
  Take?: Take;
  TrickUnderWay?: TrickUnderWay;
  Turn?: Turn;
  Up?: Up;
}
export interface Bury {
  at: string;
  group: string;
  kind: 'bury';
}
export interface Choose {
  at: number;
  card: number;
  kind: 'choose';
}
export interface Dig {
  kind: 'dig';
}
export interface Draw {
  card: number;
  kind: 'draw';
}
export interface Join {
  at: string;
  group: string;
  kind: 'join';
}
export interface Move {
  at: string;
  from: string;
  kind: 'move';
  to: string;
  value: number;
}
export interface Stop {
  kind: 'stop';
}
export interface Take {
  at: number;
  card: number;
  kind: 'take';
}
export interface Up {
  at: string;
  becomes: number;
  group: string;
  kind: 'up';
  value: number;
}
export interface Bone {
  group: string;
  value: number;
}
/**
 * A trick (`card` is x0 to x9), a Doggo (90 to 99) or a breed (0x to 8x), and what it does.
 */
export interface BoxCard {
  card: string;
  kind: 'Doggo' | 'breed' | 'trick';
  name: string;
  source: string;
  text: string;
}
export interface BreedBonus {
  bones: number[][];
  breed: string;
  points: number;
}
/**
 * What the cards do, in words: tricks by ones digit, Doggos by ones digit, bonuses by breed.
 */
export interface CardTexts {
  bonuses: string[];
  doggos: string[];
  tricks: string[];
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
export interface Extra {
  asks: string;
  bonuses: BreedBonus[][];
  groups?: 'each' | 'one';
  most?: number;
  plain?: string;
  texts?: CardTexts;
}
export interface Group {
  bones: number[];
  breed: string;
  pups: number[];
}
export interface Options {
  cards:
    | ('balanced' | 'standard')
    | {
        [k: string]: unknown;
      };
  extended: boolean;
  strategic: boolean;
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
  box: number;
  check?: boolean;
  deck: number;
  final: boolean;
  game: 'puppies';
  options: Options;
  park: number[];
  phase: 'choose' | 'deal' | 'draw' | 'join' | 'leftover' | 'over' | 'park' | 'reveal' | 'take' | 'trick';
  pup?: number;
  round: number;
  seats: Seat[];
  tricks?: TrickUnderWay[];
  turns?: Turn[];
}
export interface Seat {
  chosen: number | '?' | (number | '?')[] | null;
  groups: Group[];
  hand: (number | '?')[];
  open: number[];
}
export interface TrickUnderWay {
  bone?: Bone;
  card: number;
  done: number;
  from?: string;
  here: string;
  n: number;
  part: number;
  served?: string[];
  touched?: Bone[];
  turned?: number;
}
export interface Turn {
  card: number;
  seat: number;
}
export interface PuppiesView {
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
