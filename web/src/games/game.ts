/**
 * What a game's folder gives to the page. Functions are pure: they depend on their arguments only. Components depend on
 * their props, on the stage that they are drawn on (`StageContext`) and on the person's settings. What a table shows beyond
 * the view (selection, preview, highlights) is the table's state: lib/table/tableState.svelte.ts.
 */
import type { Component } from 'svelte';
import type { Entry, GameEvent, Legal, Preview, ScoreLine, View } from '../lib/api/types';
import type { BoardArea } from '../lib/board/boardArea.svelte';
import type { InspectContext, CardDetail, CatalogueGroup } from '../lib/inspect/inspect';
import type { LogPart } from '../lib/log';
import type { Choice, MoveOption, Selection, MultiSelect } from '../lib/board/selection';
import type { Box, Point } from '../lib/board/geometry';

/** A place on the board that one can point at, walk to with the keyboard, and hear from a screen reader. */
export interface Space extends Point {
  key: string;
  /** What it is and holds, in words. */
  label: string;
  /** Its short name, such as "d4": shown on the board with the setting `coordinates`, and used in sentences. */
  name?: string | undefined;
  /** Where its points are shown; its middle if left out, nowhere if null. */
  badge?: Point | null | undefined;
  /** Its outline around 0,0, where spaces differ. */
  shape?: string | undefined;
  /** Its size, where a board shows some spaces smaller than others. */
  scale?: number | undefined;
}

/** What the tray asks the board to highlight, by keys of the game's own. */
export interface Highlight {
  /** One thing that is pointed at. */
  one: string | null;
  /** All things of the kind. */
  all: boolean;
}

export interface BoardProps<V extends View = View> {
  view: V;
  area: BoardArea;
  /** The move that is chosen or pointed at, drawn as a ghost. */
  ghost: MoveOption | null;
  choice: Choice;
  /** Pieces that have just been placed, by space, with the seat they come from: they fly in. */
  fresh: Map<string, number>;
  entries: Entry[];
  /** The names by seat. */
  names?: string[] | undefined;
  /** Choose one of the ways on the selected space. */
  pickWay: (way: string) => void;
  /** The space that is selected or pointed at, whether something is legal there or not. */
  at?: string | null;
  /** What the server says the ghost would do. */
  preview?: Preview | null;
  /** The moves that are chosen together, in order. */
  taken?: readonly MoveOption[];
  highlight?: Highlight;
}

export interface TrayProps<V extends View = View> {
  view: V;
  choice: Choice;
  selection: Selection;
  /** Take this piece into hand. */
  pick: (piece: string) => void;
  /** Turn what is in hand. */
  turn: () => void;
  /** Whether the viewer may choose now. */
  mine: boolean;
  /** The move that is chosen or pointed at. */
  ghost: MoveOption | null;
  names: string[];
  /** The moves that can be selected now. */
  options: readonly MoveOption[];
  highlight: Highlight;
  setHighlight: (change: Partial<Highlight>) => void;
}

export interface SeatSummaryProps<V extends View = View> {
  view: V;
  seat: number;
  names?: string[];
}

export interface PictureProps {
  /** `CardDetail.card` of what is drawn. */
  card: string;
  /** The game it is part of, where that changes how it looks; null in the catalogue. */
  view: View | null;
}

export interface MiniatureProps<V extends View = View> {
  /** What happened. */
  event: GameEvent;
  /** The game as it is when the line is read. */
  view: V;
}

export interface Diagram {
  title: string;
  text: string;
  view: View;
  /** Spaces to highlight. */
  lit?: string[];
  /** The heading of the rules beside which it is shown; without one it comes first. */
  section?: string;
}

export interface GameBoard<V extends View = View, M extends Legal = Legal> {
  /** Whether seats hold what others may not see: passing the device then covers the table. */
  secret: boolean;
  /** Whether pointing at a space where only another piece can go takes that piece into hand. */
  swaps: boolean;
  /** The label of the button that chooses the next way, such as "Turn". */
  turnWord: string;
  /** Whether the ways on a space are turns of the piece: handles to turn it are then shown beside it. */
  turnable?: boolean;
  /** The label of the button that takes the next piece, such as "Flip"; empty: no button. */
  flipWord: string;
  /** Kinds of events that the page's log leaves out, because the board shows them well enough. */
  quiet: readonly string[];
  /** The outline of a space around 0,0. */
  spaceShape: string;
  /** The piece that is in hand before one is chosen; null: none. */
  startPiece(view: V, options: MoveOption<M>[]): string | null;
  /** The legal moves as the board shows them: with which piece, on which space, in which way. */
  options(view: V, legal: M[]): MoveOption<M>[];
  spaces(view: V, names: string[], area: BoardArea): Space[];
  /** The part of the board to show when it is fitted into the window. */
  frame(view: V, area: BoardArea): Box;
  /** The move, in notation, that a person means who points at a space where nothing is legal; null: none. */
  attempt(view: V, choice: Choice<M>, place: string): string | null;
  /** The spaces of an event, if they depend on the seat; without it, its own fields and score lines tell. */
  placesOf?(view: V, event: GameEvent): string[];
  /** Whom the table waits for and what for, in one sentence, when that is more than whose turn it is. */
  waiting?(view: V, names: string[]): string | null;
  /** What I can do now, in one sentence. `{0}` is the name of seat 0: the table fills it in. */
  prompt(view: V, choice: Choice<M>, selection: Selection): string;
  /** A chosen move in one sentence, better than the server's words for it. `{0}` is the name of seat 0. */
  describe(view: V, option: MoveOption<M>): string;
  /** The text for a move that scores nothing; '' if nobody expects points. "No points" if left out. */
  unscored?(option: MoveOption<M>): string;
  /** The reason of a score line in a preview, better than the server's words for it. */
  lineWords?(line: ScoreLine): string;
  /** What must be done at once for the points that a move offers besides its own, such as "if you claim it". */
  offerWords?: string;
  /** The only sensible answer to a decision: it is played automatically, with a note. Null: ask. */
  forced?(view: V, options: MoveOption<M>[]): MoveOption<M> | null;
  /** How several spaces are chosen together, if all `options` have one; their moves are sent one after the other. Null: one at a time. */
  several?(view: V, options: MoveOption<M>[]): MultiSelect<M> | null;
  /** The selection after pointing at a space, where that is more than a piece and its space; null: the usual one. */
  tap?(view: V, options: MoveOption<M>[], selection: Selection, place: string): Selection | null;
  /** The key of a space that an event or a score line of a seat names, where each seat has spaces of its own. */
  keyOf?(view: V, where: unknown, seat: number): string;
  /** Each seat's final points by source, where the score lines do not tell it well. */
  sources?(view: V): Map<string, number>[];
  /** The name of a source of points, where the name of the rule is not readable. */
  sourceWords?(source: string, view: V): string;
  /**
   * The part of the log that an event belongs to: a seat's turn, a heading (a round, the final count), or null for the same
   * part as the line before. Without this function, events belong to the turn of the seat that moved.
   */
  partOf?(event: GameEvent, entry: Entry): LogPart;
  /** The colours of the seats as CSS, where the game has its own. */
  seatColours?(view: V): string[];
  /** The pieces of an event, as small pictures about 40 px high beside its line in the log; empty for some events. */
  Miniature?: Component<MiniatureProps<V>>;
  /** Pieces and ghost, drawn below the spaces. */
  Board: Component<BoardProps<V>>;
  /** Arrows, labels and the like, drawn above the spaces. */
  Overlay?: Component<BoardProps<V>>;
  /** What is beside the board: hand, market, bag. */
  Tray: Component<TrayProps<V>>;
  /** What a player's panel shows of the game. */
  SeatSummary: Component<SeatSummaryProps<V>>;
  /** Pictures for the Learn page. */
  diagrams: Diagram[];
  /** The card or tile on a space, or with this `data-inspect` key elsewhere at the table, to be read large; null: nothing to read. */
  inspect?(view: V, key: string, names: string[], context?: InspectContext): CardDetail | null;
  /** Every card or kind of tile in the box, for the catalogue; with a view, as this game uses them. `box` is the server's list. */
  catalogue?(view: V | null, box: readonly unknown[]): CatalogueGroup[];
  /** What the things in the catalogue are called: "Cards" if left out, "Tiles". */
  catalogueWord?: string;
  /** One card or tile, drawn into the box given by its parent. */
  Picture?: Component<PictureProps>;
}
