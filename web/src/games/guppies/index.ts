import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import Holding from './Holding.svelte';
import { SPACE } from './shapes';
import Tray from './Tray.svelte';

const guppies: GameBoard<board.GuppiesView, board.GuppiesMove> = {
  secret: false,
  swaps: true,
  turnWord: 'Turn',
  flipWord: 'Flip',
  spaceShape: SPACE,
  quiet: ['draw'],
  facets: board.facets,
  startPiece: board.startPiece,
  spaces: board.spaces,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  describe: board.describe,
  Board,
  Tray,
  Holding,
  diagrams,
};
export default guppies as unknown as GameBoard;
