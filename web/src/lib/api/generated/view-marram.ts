// Made by `npm run types` from schemas/view-marram.json. Do not edit.

export type AnyMove = Change | Claim | Draw | First | Flip | Fly | Frog | Guess | Lay | NoClaim | Pass;
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
export type MoveFields = Lay | Flip | Claim | NoClaim | Change | Pass | Guess | Draw | First | Fly | Frog;

export interface Shapes {
  AnyMove?: AnyMove;
  AnimalShape?: AnimalShape;
  Beast?: Beast;
  BoxTile?: BoxTile;
  Change?: Change;
  Claim?: Claim;
  Claimed?: Claimed;
  Draw?: Draw;
  Ending?: Ending;
  EventShape?: EventShape;
  Extra?: Extra;
  First?: First;
  Flip?: Flip;
  Fly?: Fly;
  Frog?: Frog;
  Guess?: Guess;
  Laid?: Laid;
  Lay?: Lay;
  MarramView?: MarramView;
  MoveFields?: MoveFields;
  NoClaim?: NoClaim;
  Options?: Options;
  OutcomeShape?: OutcomeShape;
  Part?: Part;
  Pass?: Pass;
  PatchShape?: PatchShape;
  Played?: Played;
  Position?: Position;
  ScoreLineShape?: ScoreLineShape;
  Seat?: Seat;
  TileFace?: TileFace;
}
export interface Change {
  kind: 'change';
}
export interface Claim {
  kind: 'claim';
  on: 'E' | 'N' | 'NE' | 'NW' | 'S' | 'SE' | 'SW' | 'W' | 'bridge';
  piece: 'boot' | 'fork';
}
export interface Draw {
  kind: 'draw';
  tile: number;
}
export interface First {
  kind: 'first';
  seat: number;
}
export interface Flip {
  at: number[];
  kind: 'flip';
  turn: number;
}
export interface Fly {
  at: number[];
  kind: 'fly';
}
export interface Frog {
  at: number[];
  kind: 'frog';
}
export interface Guess {
  guess: number | 'escape';
  kind: 'guess';
}
export interface Lay {
  at: number[];
  face: 'a' | 'b';
  kind: 'lay';
  tile: number;
  turn: number;
}
export interface NoClaim {
  kind: 'no claim';
}
export interface Pass {
  kind: 'pass';
}
export interface AnimalShape {
  at: number[];
  from: number[] | null;
  guesses: (number | 'escape' | null)[];
  hops: number;
}
export interface Beast {
  kind: 'any' | 'blue' | 'orange' | 'worm';
  leads: number[];
  loose: number;
  parts: Part[];
  pieces: number[];
  points: number;
  segments: number;
  tiles: number[][];
}
export interface Part {
  at: number[];
  on: 'E' | 'N' | 'NE' | 'NW' | 'S' | 'SE' | 'SW' | 'W' | 'bridge';
}
/**
 * A tile of the box.
 */
export interface BoxTile {
  bridges: ('grass' | 'sand')[];
  ornaments: ('flower' | 'gold' | 'none' | 'silver')[];
  segments: string[];
  source: 'reconstructed' | 'rulebook';
  spade: boolean;
  tile: number;
}
export interface Claimed {
  on: 'E' | 'N' | 'NE' | 'NW' | 'S' | 'SE' | 'SW' | 'W' | 'bridge';
  piece: 'boot' | 'fork';
  seat: number;
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
  beasts: Beast[];
  hands: TileFace[];
  knock_out: number;
  open: number[][];
  patches: PatchShape[];
  stock: number;
}
export interface TileFace {
  bridges: ('grass' | 'sand')[];
  ornaments: ('flower' | 'gold' | 'none' | 'silver')[];
  segments: string[];
  spade: boolean;
  tile: number;
}
export interface PatchShape {
  bulges: number;
  corners: number[][];
  ground: 'grass' | 'sand';
  leads: number[];
  open: number;
  pieces: number[];
  points: number;
  tiles: number[][];
}
export interface Laid {
  at: number[];
  bridge: 'grass' | 'sand';
  claim?: Claimed;
  flipped?: boolean;
  flips: number;
  ornament?: 'flower' | 'gold' | 'none' | 'silver';
  reverse_ornament?: 'flower' | 'gold' | 'none' | 'silver';
  segments: string[];
  tile?: number;
  turn: number;
}
export interface MarramView {
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
  ended?: 'all passed' | 'knock-out';
  flipped?: number[][];
  fly?: AnimalShape;
  fresh?: number;
  frog?: AnimalShape;
  game: 'marram';
  laid: Laid[];
  move: number;
  options: Options;
  out?: number[];
  passes?: number;
  phase:
    | 'claim'
    | 'deal'
    | 'fly appears'
    | 'fly guess'
    | 'fly hops'
    | 'fresh tiles'
    | 'frog appears'
    | 'frog guess'
    | 'frog hops'
    | 'move'
    | 'over'
    | 'refill'
    | 'who begins';
  played?: Played;
  seats: Seat[];
  stock: number[] | number;
  to_move: number;
}
export interface Options {
  cards?: {
    [k: string]: unknown;
  };
  length: 'long' | 'short';
  variant: 'animals' | 'classic' | 'pitchfork';
}
export interface Played {
  at: number[];
  how: 'flip' | 'lay';
}
export interface Seat {
  boots: number;
  forks: number;
  hand: number[];
  retired_boots?: number;
  retired_forks?: number;
  score: number;
  spades: number;
}
