import type { GameBoard } from '../game';
import Board from './Board.svelte';
import * as board from './board';
import { diagrams } from './diagrams';
import Holding from './Holding.svelte';
import { catalogue, inspect } from './inspect';
import Miniature from './Miniature.svelte';
import Over from './Over.svelte';
import Picture from './Picture.svelte';
import { SPACE } from './shapes';
import * as story from './story';
import Tray from './Tray.svelte';

const marram: GameBoard<board.MarramView, board.MarramMove> = {
  secret: false,
  swaps: true,
  turnWord: 'Turn',
  turnable: true,
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
  partOf: story.partOf,
  seatColours: story.seatColours,
  sourceWords: story.sourceWords,
  lineWords: board.lineWords,
  offerWords: 'if you claim it',
  Board,
  Over,
  Tray,
  Holding,
  Miniature,
  diagrams,
  inspect,
  catalogue,
  catalogueWord: 'Tiles',
  Picture,
};
export default marram as unknown as GameBoard;
