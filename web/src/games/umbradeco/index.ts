import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import SeatSummary from './SeatSummary.svelte';
import { catalogue, inspect } from './inspect';
import Miniature from './Miniature.svelte';
import Overlay from './Overlay.svelte';
import Picture from './Picture.svelte';
import { SPACE } from './art';
import * as history from './history';
import Tray from './Tray.svelte';

const umbradeco: GameBoard<board.UmbraView, board.UmbraMove> = {
  secret: true,
  swaps: false,
  turnWord: 'Other way',
  flipWord: 'Other tile',
  spaceShape: SPACE,
  quiet: ['market', 'draw', 'out', 'start'],
  options: board.options,
  startPiece: board.startPiece,
  spaces: board.spaces,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  describe: board.describe,
  partOf: history.partOf,
  lineWords: board.lineWords,
  Board,
  Overlay,
  Tray,
  SeatSummary,
  Miniature,
  diagrams,
  inspect,
  catalogue,
  catalogueWord: 'Tiles',
  Picture,
};
export default umbradeco as unknown as GameBoard;
