// Made by `npm run types` from schemas/view-umbradeco.json. Do not edit.

export type AnyMove = Draw | Drop | First | Place | Push | Stack | Take;
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
export type MoveFields = Place | Push | Stack | Drop | Take | Draw | First;

export interface Shapes {
  AnyMove?: AnyMove;
  BoxColour?: BoxColour;
  Draw?: Draw;
  Drop?: Drop;
  Ending?: Ending;
  EventShape?: EventShape;
  Extra?: Extra;
  First?: First;
  MoveFields?: MoveFields;
  Options?: Options;
  OutcomeShape?: OutcomeShape;
  Place?: Place;
  Position?: Position;
  Push?: Push;
  ScoreLineShape?: ScoreLineShape;
  Space?: Space;
  Stack?: Stack;
  Take?: Take;
  UmbradecoView?: UmbradecoView;
  Unseen?: Unseen;
}
export interface Draw {
  colour: 'blue' | 'green' | 'red' | 'violet' | 'yellow';
  kind: 'draw';
}
export interface Drop {
  colour: 'blue' | 'green' | 'red' | 'violet' | 'yellow';
  kind: 'drop';
}
export interface First {
  kind: 'first';
  seat: number;
}
export interface Place {
  at: number[];
  colour: 'blue' | 'green' | 'red' | 'violet' | 'yellow';
  kind: 'place';
}
export interface Push {
  at: number[];
  colour: 'blue' | 'green' | 'red' | 'violet' | 'yellow';
  direction: 'N' | 'NE' | 'NW' | 'S' | 'SE' | 'SW';
  kind: 'push';
}
export interface Stack {
  at: number[];
  colour: 'blue' | 'green' | 'red' | 'violet' | 'yellow';
  kind: 'stack';
}
export interface Take {
  colour: 'blue' | 'green' | 'red' | 'violet' | 'yellow';
  kind: 'take';
}
/**
 * A colour of the box, and how many tiles it has.
 */
export interface BoxColour {
  colour: 'blue' | 'green' | 'red' | 'violet' | 'yellow';
  emblem: string;
  source: 'reconstructed' | 'rulebook';
  tiles: number;
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
  unseen: Unseen;
}
export interface Unseen {
  blue: number;
  green: number;
  red: number;
  violet: number;
  yellow: number;
}
export interface Options {
  mat: 'large' | 'small' | 'standard';
  rows: 'open' | 'unbroken';
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
  discarded?: ('blue' | 'green' | 'red' | 'violet' | 'yellow')[];
  excluded?: ('blue' | 'green' | 'red' | 'violet' | 'yellow')[][];
  game: 'umbradeco';
  hands: ('?' | 'blue' | 'green' | 'red' | 'violet' | 'yellow')[][];
  market: ('blue' | 'green' | 'red' | 'violet' | 'yellow')[];
  mat: Space[];
  options: Options;
  out?: ('?' | 'blue' | 'green' | 'red' | 'violet' | 'yellow')[];
  phase: 'over' | 'place' | 'refill' | 'setup' | 'take';
  scores: number[];
  shown: number[];
  to_move?: number;
}
export interface Space {
  at: number[];
  tiles: ('blue' | 'green' | 'red' | 'violet' | 'yellow')[];
}
export interface UmbradecoView {
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
