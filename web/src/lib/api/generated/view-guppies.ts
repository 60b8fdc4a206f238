// Made by `npm run types` from schemas/view-guppies.json. Do not edit.

export type AnyMove = Draw | Lay;
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
export type MoveFields = Lay | Draw;

export interface Shapes {
  AnyMove?: AnyMove;
  BoxTile?: BoxTile;
  Draw?: Draw;
  Ending?: Ending;
  EventShape?: EventShape;
  Extra?: Extra;
  GuppiesView?: GuppiesView;
  Halves?: Halves;
  Laid?: Laid;
  Lay?: Lay;
  MoveFields?: MoveFields;
  Options?: Options;
  OutcomeShape?: OutcomeShape;
  Position?: Position;
  ScoreLineShape?: ScoreLineShape;
  Seat?: Seat;
  UnsureBag?: UnsureBag;
}
export interface Draw {
  kind: 'draw';
  tile: number;
}
export interface Lay {
  at: number[];
  kind: 'lay';
  side: 'a' | 'b';
  turn: number;
}
/**
 * A tile of the box with its two faces.
 */
export interface BoxTile {
  a: string;
  b: string;
  source: 'reconstructed' | 'rulebook';
  tile: number;
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
  bag: number;
  halves: Halves;
  may_be_in_bag: number[];
  open: number[][];
  tile: number;
}
/**
 * Heads in capitals, tails in small letters: green, orange, purple.
 */
export interface Halves {
  G: number;
  O: number;
  P: number;
  g: number;
  o: number;
  p: number;
}
export interface GuppiesView {
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
  bag: 'full' | number[] | number | UnsureBag;
  check?: boolean;
  game: 'guppies';
  laid: Laid[];
  options: Options;
  seats: Seat[];
  tile?: string[];
  to_move: number;
}
export interface UnsureBag {
  count: number;
  sure: number[];
}
export interface Laid {
  at: number[];
  face: string;
}
export interface Options {
  cards?: {
    [k: string]: unknown;
  };
  table: 'endless' | 'one';
  tiles: 64 | 128;
}
export interface Seat {
  colour: 'green' | 'orange' | 'purple';
  score: number;
}
