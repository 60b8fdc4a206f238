import type { GameBoard } from '../game';
import { outline } from './art';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import SeatSummary from './SeatSummary.svelte';
import Overlay from './Overlay.svelte';
import { catalogue, inspect } from './inspect';
import Miniature from './Miniature.svelte';
import Picture from './Picture.svelte';
import * as history from './history';
import Tray from './Tray.svelte';

const puppies: GameBoard<board.PuppiesView, board.PuppiesMove> = {
  secret: true,
  swaps: false,
  turnWord: '',
  flipWord: '',
  spaceShape: outline(84, 108),
  quiet: ['deal', 'park', 'dig'],
  options: board.options,
  startPiece: board.startPiece,
  spaces: board.spaces,
  placesOf: board.placesOf,
  frame: board.frame,
  attempt: board.attempt,
  prompt: board.prompt,
  waiting: board.waiting,
  describe: board.describe,
  unscored: board.unscored,
  partOf: history.partOf,
  sourceWords: history.sourceWords,
  forced: board.forced,
  several: board.several,
  Board,
  Overlay,
  Tray,
  SeatSummary,
  Miniature,
  diagrams,
  inspect,
  catalogue,
  catalogueWord: 'Cards',
  Picture,
};
export default puppies as unknown as GameBoard;
