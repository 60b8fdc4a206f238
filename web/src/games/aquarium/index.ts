import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import SeatSummary from './SeatSummary.svelte';
import { catalogue, inspect } from './inspect';
import { SPACE_SHAPE } from './layout';
import Miniature from './Miniature.svelte';
import Picture from './Picture.svelte';
import * as history from './history';
import Tray from './Tray.svelte';

const aquarium: GameBoard<board.AquaView, board.AquaMove> = {
  secret: true,
  swaps: false,
  turnWord: '',
  flipWord: '',
  spaceShape: SPACE_SHAPE,
  quiet: ['deal', 'stock'],
  options: board.options,
  startPiece: board.startPiece,
  spaces: board.spaces,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  waiting: board.waiting,
  describe: board.describe,
  unscored: board.unscored,
  tap: board.tap,
  keyOf: board.keyOf,
  sources: board.sources,
  partOf: history.partOf,
  Board,
  Tray,
  SeatSummary,
  Miniature,
  diagrams,
  inspect,
  catalogue,
  catalogueWord: 'Cards',
  Picture,
};
export default aquarium as unknown as GameBoard;
