/**
 * The area in which a board is drawn, for boards that arrange themselves to fill it. Each page with a board owns one and
 * passes it to the board's functions and components; the stage measures it.
 */
import { MediaQuery } from 'svelte/reactivity';
import { PORTRAIT } from '../media';

export interface BoardArea {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the window is narrow or taller than wide, as on a phone that is held upright. */
  readonly portrait: boolean;
}

/** The area of a picture that no stage measures, and of tests: a landscape window. */
export const DEFAULT_AREA: BoardArea = { width: 1100, height: 640, portrait: false };

/** Growth of the height up to this many pixels is ignored: a shorter action bar must not move every piece. */
const MAX_IGNORED_GROWTH = 60;
/** Other changes up to this many pixels are ignored. */
const MAX_IGNORED_CHANGE = 8;

export class MeasuredArea implements BoardArea {
  width = $state(DEFAULT_AREA.width);
  height = $state(DEFAULT_AREA.height);
  #portrait = new MediaQuery(PORTRAIT);
  #measured = false;

  get portrait(): boolean {
    return this.#portrait.current;
  }

  /** Takes over a size in pixels. After the first one, small changes are ignored. */
  measure(width: number, height: number): void {
    if (width < 50 || height < 50) return;
    const near =
      Math.abs(width - this.width) < MAX_IGNORED_CHANGE &&
      height > this.height - MAX_IGNORED_CHANGE &&
      height < this.height + MAX_IGNORED_GROWTH;
    if (near && this.#measured) return;
    this.#measured = true;
    this.width = Math.round(width);
    this.height = Math.round(height);
  }
}
