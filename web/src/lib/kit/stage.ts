import type { Point } from './geometry';

export const STAGE = Symbol('stage');

export interface StageContext {
  /** How many pixels a unit of the board has, at rest: for words that must stay readable. */
  readonly scale: number;
  /** Where something outside the board (a hand, a player's panel) would be on it; null while the board is not yet on the page. */
  toWorld(element: Element): Point | null;
  /** How much larger than drawn a text of this size must be, so that it can be read at the board's present scale. */
  legible(size: number): number;
}
