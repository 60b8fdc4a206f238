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

const marram: GameBoard<board.MarramView, board.MarramMove> = {
  secret: false,
  swaps: true,
  turnWord: 'Turn',
  turnable: true,
  flipWord: '',
  spaceShape: SPACE,
  quiet: ['draw'],
  options: board.options,
  startPiece: board.startPiece,
  spaces: board.spaces,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  describe: board.describe,
  unscored: board.unscored,
  partOf: history.partOf,
  seatColours: history.seatColours,
  sourceWords: history.sourceWords,
  lineWords: board.lineWords,
  offerWords: 'if you claim it',
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
export default marram as unknown as GameBoard;
