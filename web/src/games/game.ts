/** What a game's folder tells the page. Everything here is a pure function of the view and a local selection. */
import type { Component } from 'svelte';
import type { Entry, GameEvent, Legal, Preview, ScoreLine, View } from '../lib/api/types';
import type { Around, CardDetail, CatalogueGroup } from '../lib/inspect/inspect';
import type { Part } from '../lib/log';
import type { Choice, MoveOption, Selection, Several } from '../lib/kit/choosing';
import type { Box, Point } from '../lib/kit/geometry';

/** A place on the board that one can point at, walk to and hear about. */
export interface Space extends Point {
  key: string;
  /** What it is and holds, in words. */
  label: string;
  /** What it is called for short, such as "d4": written on the board when a person asks for it, and used in sentences. */
  name?: string | undefined;
  /** Where its points are written; its middle if left out, nowhere if null. */
  badge?: Point | null | undefined;
  /** Its own outline around 0,0, where spaces differ. */
  shape?: string | undefined;
  /** Its size, where a board shows some spaces smaller than others. */
  scale?: number | undefined;
}

export interface BoardProps<V extends View = View> {
  view: V;
  /** The move that is chosen or pointed at, drawn as a ghost. */
  ghost: MoveOption | null;
  choice: Choice;
  /** Pieces that have just come, by place, with the seat they came from: they fly in. */
  fresh: Map<string, number>;
  entries: Entry[];
  /** How the players are called, by seat. */
  names?: string[] | undefined;
  /** Choose one of the ways on the selected place. */
  pickWay: (way: string) => void;
  /** The place that is selected or pointed at, whether something is legal there or not. */
  at?: string | null;
  /** What the server says the ghost would do. */
  preview?: Preview | null;
  /** What is chosen of several places in one go, in order. */
  taken?: readonly MoveOption[];
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
  /** The piece the pointer or ghost shows turned. */
  ghost: MoveOption | null;
  names: string[];
  /** The legal moves as the board sees them. */
  options: readonly MoveOption[];
}

export interface SeatSummaryProps<V extends View = View> {
  view: V;
  seat: number;
}

export interface PictureProps {
  /** `CardDetail.card` of what is drawn. */
  card: string;
  /** The game it is part of, where that changes how it looks; null in the encyclopaedia. */
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
  lit?: string[];
  /** The heading of the rules beside which it stands; without one it comes first. */
  section?: string;
}

export interface GameBoard<V extends View = View, M extends Legal = Legal> {
  /** Whether seats hold what others may not see: passing the device then covers the table. */
  secret: boolean;
  /** Whether pointing at a place where only another piece goes takes that piece up. */
  swaps: boolean;
  /** What choosing the next way is called on its button, such as "Turn". */
  turnWord: string;
  /** Whether the ways on a place are turns of the piece: handles to turn it stand beside it then. */
  turnable?: boolean;
  /** What taking the next piece is called, if there is such a button ("Flip"). */
  flipWord: string;
  /** Kinds of events that the board shows well enough: they are left out of the log on the page. */
  quiet: readonly string[];
  /** The outline of a space around 0,0. */
  spaceShape: string;
  /** The piece that is in hand before one is chosen; null: none. */
  startPiece(view: V, options: MoveOption<M>[]): string | null;
  options(view: V, legal: M[]): MoveOption<M>[];
  spaces(view: V, names?: string[]): Space[];
  /** The part of the board to show when it is fitted. */
  frame(view: V): Box;
  /** The move, in notation, that somebody means who points at a place where nothing is legal; null: none. */
  attempt(view: V, choice: Choice<M>, place: string): string | null;
  /** The places an event speaks of, if they depend on whose they are; without it its own fields and score lines say. */
  placesOf?(view: V, event: GameEvent): string[];
  /** Whom we wait for and what for, in one sentence, when that is more than whose turn it is. */
  waiting?(view: V, names: string[]): string | null;
  /** What I can do now, in one sentence. */
  prompt(view: V, choice: Choice<M>, selection: Selection): string;
  /** A chosen move in one sentence, better than its notation's words. */
  describe(view: V, option: MoveOption<M>): string;
  /** What to say of a move that makes no points; nothing to say ('') if nobody would expect any. "No points" if left out. */
  unscored?(option: MoveOption<M>): string;
  /** A reason for points in a preview, better than the words it came with. */
  lineWords?(line: ScoreLine): string;
  /** What has to be done at once for the points that a move offers besides its own, such as "if you claim it". */
  offerWords?: string;
  /** The seats the game waits for, where others may act as well; the active ones if left out. */
  due?(view: V): number[];
  /** The one answer to a decision that leaves nothing to decide: it is made at once, with a note. Null: ask. */
  forced?(view: V, options: MoveOption<M>[]): MoveOption<M> | null;
  /** How several places are chosen in one go, of options that have one; their moves are sent one after the other. Null: one at a time. */
  several?(view: V, options: MoveOption<M>[]): Several<M> | null;
  /** What pointing at a place selects, where that is more than a piece's place; null: as usual. */
  tap?(view: V, options: MoveOption<M>[], selection: Selection, place: string): Selection | null;
  /** The key of a place that an event or a score line of a seat speaks of, where each seat has places of its own. */
  keyOf?(view: V, where: unknown, seat: number): string;
  /** Where each seat's points come from in the end, where score lines along the way do not say it well. */
  sources?(view: V): Map<string, number>[];
  /** A source of points in words, where the name of the rule is not one. */
  sourceWords?(source: string, view: V): string;
  /** Whose turn an event is part of in the log, or the heading of a part that is nobody's turn (a round, the final count); null: of what it follows. Without it, of the turn of whoever moved. */
  partOf?(event: GameEvent, entry: Entry): Part;
  /** The colours of the seats, where the game has its own; CSS. */
  seatColours?(view: V): string[];
  /** The pieces an event speaks of, as small pictures about 40 px high beside its line in the log; nothing for some. */
  Miniature?: Component<MiniatureProps<V>>;
  Board: Component<BoardProps<V>>;
  Overlay?: Component<BoardProps<V>>;
  Tray: Component<TrayProps<V>>;
  SeatSummary: Component<SeatSummaryProps<V>>;
  diagrams: Diagram[];
  /** What lies at a space of the board, or is named by `data-inspect` elsewhere at the table, to be read large; null: nothing to read. */
  inspect?(view: V, key: string, names: string[], around?: Around): CardDetail | null;
  /** Every card or kind of tile of the box, for the encyclopaedia; with a view, as this game uses them. `box` is what the server lists. */
  catalogue?(view: V | null, box: readonly unknown[]): CatalogueGroup[];
  /** What the things in the encyclopaedia are called: "Cards" if left out, "Tiles". */
  catalogueWord?: string;
  /** One card or tile, drawn into the box given by its parent. */
  Picture?: Component<PictureProps>;
}
