/** What a stage tells the board that is drawn on it. */
import type { Point } from './geometry';

export const STAGE = Symbol('stage');

export interface StageContext {
  /** Pixels for each unit of the board while the camera rests: for texts that must stay readable. */
  readonly scale: number;
  /** The board coordinates of an element outside the board, such as a player's panel; null before the stage is mounted. */
  toWorld(element: Element): Point | null;
  /** The factor by which a text of this size must grow to be readable at the current scale. */
  legible(size: number): number;
}
