/** The size of the board's window, for boards that lay themselves out to fill it. */

/** Growth smaller than this is left to the camera: a line less in the action bar must not move every piece. */
const SLACK = 60;

class RoomForBoards {
  width = $state(1100);
  height = $state(640);

  /** What the stage measures; exactly, if it has just been set up. */
  set(width: number, height: number, first: boolean): void {
    if (width < 50 || height < 50) return;
    const near = Math.abs(width - this.width) < 8 && height > this.height - 8 && height < this.height + SLACK;
    if (near && !first) return;
    this.width = Math.round(width);
    this.height = Math.round(height);
  }
}

export const room = new RoomForBoards();
