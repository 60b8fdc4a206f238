import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import Holding from './Holding.svelte';
import Over from './Over.svelte';
import { SPACE } from './shapes';
import Tray from './Tray.svelte';

const marram: GameBoard<board.MarramView, board.MarramMove> = {
  secret: false,
  swaps: true,
  turnWord: 'Turn',
  flipWord: '',
  spaceShape: SPACE,
  quiet: ['draw'],
  facets: board.facets,
  startPiece: board.startPiece,
  spaces: board.spaces,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  describe: board.describe,
  unscored: board.unscored,
  Board,
  Over,
  Tray,
  Holding,
  diagrams,
};
export default marram as unknown as GameBoard;
