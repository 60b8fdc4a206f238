import type { Point } from './geometry';

export const STAGE = Symbol('stage');

export interface StageContext {
  /** Where something outside the board (a hand, a player's panel) would be on it. */
  toWorld(element: Element): Point;
}
