import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import Holding from './Holding.svelte';
import { SPACE_SHAPE } from './layout';
import Tray from './Tray.svelte';

const aquarium: GameBoard<board.AquaView, board.AquaMove> = {
  secret: true,
  swaps: false,
  turnWord: '',
  flipWord: '',
  spaceShape: SPACE_SHAPE,
  quiet: ['deal', 'stock'],
  facets: board.facets,
  startPiece: board.startPiece,
  spaces: board.spaces,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  describe: board.describe,
  unscored: board.unscored,
  due: board.due,
  tap: board.tap,
  keyOf: board.keyOf,
  sources: board.sources,
  Board,
  Tray,
  Holding,
  diagrams,
};
export default aquarium as unknown as GameBoard;
