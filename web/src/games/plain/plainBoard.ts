/** The board of every game that has no folder of its own here. */
import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import SeatSummary from './SeatSummary.svelte';
import { SPACE } from './art';
import Tray from './Tray.svelte';

/** `secret`: whether the seats of this game hold what others may not see. */
export function plainBoard(secret: boolean): GameBoard {
  const plain: GameBoard<board.PlainView, board.PlainMove> = {
    secret,
    swaps: false,
    turnWord: 'Other way',
    flipWord: '',
    spaceShape: SPACE.square,
    quiet: [],
    options: board.options,
    startPiece: board.startPiece,
    spaces: board.spaces,
    frame: board.frame,
    attempt: board.attempt,
    tap: board.tap,
    keyOf: board.keyOf,
    prompt: board.prompt,
    describe: board.describe,
    Board,
    Tray,
    SeatSummary,
    diagrams: [],
  };
  return plain as unknown as GameBoard;
}
