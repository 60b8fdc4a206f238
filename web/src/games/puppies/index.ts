import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import Holding from './Holding.svelte';
import { CARD, type PuppiesView } from './layout';
import Tray from './Tray.svelte';

const puppies: GameBoard<PuppiesView, board.PuppiesMove> = {
  secret: true,
  swaps: false,
  turnWord: '',
  flipWord: '',
  tapAgain: true,
  spaceShape: board.outline(CARD.w, CARD.h),
  quiet: ['deal', 'park', 'dig'],
  facets: board.facets,
  startPiece: board.startPiece,
  spaces: board.spaces,
  placesOf: board.placesOf,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  waiting: board.waiting,
  describe: board.describe,
  unscored: board.unscored,
  Board,
  Tray,
  Holding,
  diagrams,
};
export default puppies as unknown as GameBoard;
