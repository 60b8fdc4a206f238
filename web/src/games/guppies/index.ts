import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import SeatSummary from './SeatSummary.svelte';
import { catalogue, inspect } from './inspect';
import Miniature from './Miniature.svelte';
import Picture from './Picture.svelte';
import { SPACE } from './art';
import * as history from './history';
import Tray from './Tray.svelte';

const guppies: GameBoard<board.GuppiesView, board.GuppiesMove> = {
  secret: false,
  swaps: true,
  turnWord: 'Turn',
  turnable: true,
  flipWord: 'Flip',
  spaceShape: SPACE,
  quiet: ['draw'],
  options: board.options,
  startPiece: board.startPiece,
  spaces: board.spaces,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  describe: board.describe,
  partOf: history.partOf,
  seatColours: history.seatColours,
  Board,
  Tray,
  SeatSummary,
  Miniature,
  diagrams,
  inspect,
  catalogue,
  catalogueWord: 'Tiles',
  Picture,
};
export default guppies as unknown as GameBoard;
