/**
 * The state of a table page, in one place: GameTable.svelte creates it, changes it, and passes it or parts of it to the
 * components around the board. What the server sent is in `session`; what is stored here is what the person does on the page,
 * and what the page shows for a moment. Everything below "Derived" follows from the rest.
 */
import type { GameBoard, Highlight, Space } from '../../games/game';
import type { BotInfo, GameEvent, Legal, Preview, SeatInfo, View } from '../api/types';
import { MeasuredArea } from '../board/boardArea.svelte';
import { placeKey } from '../board/geometry';
import {
  choose,
  NO_SELECTION,
  type Choice,
  type MoveOption,
  type MultiSelect,
  type Selection,
} from '../board/selection';
import { GuideState } from '../guide/guideState.svelte';
import { LastSeen } from '../lastSeen.svelte';
import { thinkingWords } from '../levels/levels';
import { logLines, logTurns, placesOf, type LogTurn } from '../log';
import type { TableSession } from '../tableSession.svelte';
import { counted, joinWithAnd, plannedText, planningText, promptFor, turnText } from '../text';

/** Points that rise from a space after a move. */
export interface ScoreFloat {
  id: number;
  place: string;
  text: string;
  seat: number;
}

export class TableState {
  /** What the server sent: table, view, legal moves, log, chat, clocks. */
  readonly session: TableSession;
  /** How the game is shown. */
  readonly board: GameBoard;
  /** The guide of a guided first game. */
  readonly guide: GuideState;
  /** Which log entries the person has seen. */
  readonly lastSeen: LastSeen;
  /** The size of the board on the screen. */
  readonly area = new MeasuredArea();

  // --- What the person does ---------------------------------------------------------------------------------------------

  /** The piece, space and way that are selected. */
  selection: Selection = $state({ ...NO_SELECTION });
  /** Moves that are selected together, in order, where a decision consists of several (`multiSelect`). */
  taken: MoveOption[] = $state.raw([]);
  /** The space under the pointer or with the keyboard focus. */
  hovered: string | null = $state(null);
  /** What the tray asks the board to highlight. */
  highlight: Highlight = $state({ one: null, all: false });
  /** Whether the person wants to make forced moves themselves. */
  playsForced = $state(false);
  /** Whether the log and chat are open on a small screen, and which of them. */
  panelOpen = $state(false);
  tab: 'log' | 'chat' = $state('log');
  resultOpen = $state(true);
  helpOpen = $state(false);

  // --- Planning ahead ---------------------------------------------------------------------------------------------------

  /** Whether the person is choosing a move for their next turn. */
  planning = $state(false);
  /** The move that they have planned, in notation. It is kept in this browser and sent to nobody. */
  plan: string | null = $state(null);
  /** The decision for which the plan was offered as the selection. */
  offeredFor: string | null = null;

  // --- Requests under way -----------------------------------------------------------------------------------------------

  /** A move or an undo is being sent. */
  busy = $state(false);
  /** The moves in `taken` are being sent one after the other. */
  sendingTaken = $state(false);
  /** The server's preview of `ghost`; null until it arrives. */
  preview: Preview | null = $state.raw(null);

  // --- What is shown of the last moves ----------------------------------------------------------------------------------

  /** Spaces that a log line, a score line or a card refers to, while it is pointed at. */
  referred: Set<string> = $state.raw(new Set());
  /** Pieces that have just been placed, by space, with the seat they come from: they fly in. */
  fresh: Map<string, number> = $state.raw(new Map());
  /** Spaces that the last move changed. */
  recent: Set<string> = $state.raw(new Set());
  /** Who made the last move, if it was somebody else. */
  mover: { name: string; colour: string } | null = $state.raw(null);
  floats: ScoreFloat[] = $state.raw([]);
  /** The last log lines, read out by screen readers. */
  announced: string[] = $state.raw([]);
  /** The levels of bots, for "is thinking". */
  bots: BotInfo[] = $state.raw([]);

  constructor(session: TableSession, board: GameBoard) {
    this.session = session;
    this.board = board;
    this.guide = new GuideState(session.id, session.table?.game ?? '');
    this.guide.version = () => session.version;
    this.lastSeen = new LastSeen(session.id);
  }

  // --- Derived: who and when --------------------------------------------------------------------------------------------

  info = $derived.by(() => this.session.table);
  view = $derived.by(() => this.session.view);
  seats: SeatInfo[] = $derived.by(() => this.info?.seats ?? []);
  /** The seats that I play on this device. */
  mySeats: number[] = $derived.by(() => this.seats.filter((seat) => seat.mine).map((seat) => seat.seat));
  /** The name of the person who has the device, where several share it; null: only I play here, and texts say "you". */
  holder: string | null = $derived.by(() =>
    this.mySeats.length > 1 && this.session.seat !== null ? this.session.seatName(this.session.seat) : null,
  );
  outcome = $derived.by(() => this.view?.outcome ?? null);
  /** My seat, while a bot plays it for me. */
  standIn: SeatInfo | null = $derived.by(() => {
    const seat = this.session.seat === null ? undefined : this.seats[this.session.seat];
    return seat?.bot ? seat : null;
  });
  /** Whether I may choose a move now. */
  mine: boolean = $derived.by(
    () =>
      !this.outcome &&
      this.session.decision !== null &&
      this.session.legal.length > 0 &&
      !this.standIn &&
      this.session.status === 'live',
  );
  /** Whether the game waits for me. */
  due: boolean = $derived.by(() => this.mine && !this.forced && (this.session.decision?.due ?? false));
  /** The seats that the game waits for. */
  waiting: number[] = $derived.by(() => this.view?.due ?? []);
  /** Another seat of mine that has to move: the device is passed on. */
  nextSeat: number | null = $derived.by(() => {
    const { session, mySeats } = this;
    if (mySeats.length < 2 || !this.view || this.outcome) return null;
    if (session.seat !== null && this.waiting.includes(session.seat)) return null;
    return mySeats.find((seat) => this.waiting.includes(seat) && !this.seats[seat]?.bot) ?? null;
  });
  /** Whether the table is covered while the device is passed on. */
  covered: boolean = $derived.by(() => this.nextSeat !== null && this.board.secret && this.session.seat === null);

  // --- Derived: planning ------------------------------------------------------------------------------------------------

  /** The view that I would have if it were my turn; null: I do not plan, or the answer is not here yet. */
  planView: View | null = $derived.by(() => {
    const { plans, shownVersion, canPlan } = this.session;
    return canPlan && plans?.version === shownVersion ? plans.view : null;
  });
  planOptions: MoveOption[] = $derived.by(() => {
    const { planView, session } = this;
    return planView ? this.#withoutPoints(this.board.options(planView, session.plans?.legal ?? [])) : [];
  });
  /** Whether what is selected now is a plan. */
  picksPlan: boolean = $derived.by(() => this.planning && this.planView !== null && !this.due);
  /** The planned move, while others move. */
  plannedOption: MoveOption | null = $derived.by(() =>
    this.plan === null || this.due ? null : (this.planOptions.find(({ move }) => move.move === this.plan) ?? null),
  );
  /** Whether there is anything to select. */
  chooses: boolean = $derived.by(() => this.mine || this.picksPlan);
  /** The view that the choice is made from. */
  choiceView: View | null = $derived.by(() => (this.picksPlan ? this.planView : this.view));

  // --- Derived: what I can choose ---------------------------------------------------------------------------------------

  /** Whether this table shows what a move scores before it is played. */
  badges: boolean = $derived.by(() => this.info?.badges ?? true);
  /** My legal moves as the board shows them. */
  legalOptions: MoveOption[] = $derived.by(() => {
    return this.#withoutPoints(this.view && this.mine ? this.board.options(this.view, this.session.legal) : []);
  });
  /** The only sensible answer to a decision. */
  forcedOption: MoveOption | null = $derived.by(() =>
    this.view && this.mine && !this.sendingTaken ? (this.board.forced?.(this.view, this.legalOptions) ?? null) : null,
  );
  /** The same, if the page plays it for me: not after an undo, and not if I want to choose. */
  forced: MoveOption | null = $derived.by(() =>
    this.playsForced || this.session.entries.at(-1)?.kind === 'undo' ? null : this.forcedOption,
  );
  /** The moves that I can select now. */
  options: MoveOption[] = $derived.by(() => {
    if (this.picksPlan) return this.planOptions;
    return this.forced || this.sendingTaken ? [] : this.legalOptions;
  });
  /** The selection, with the board's first piece if none is selected. */
  effectiveSelection: Selection = $derived.by(() => {
    const { selection, choiceView } = this;
    return selection.piece === null && choiceView
      ? { ...selection, piece: this.board.startPiece(choiceView, this.options) }
      : selection;
  });
  choice: Choice = $derived.by(() => choose(this.options, this.effectiveSelection));
  /** The moves of the piece in hand that have a space. */
  placedOptions: MoveOption[] = $derived.by(() =>
    this.options.filter((option) => option.piece === this.choice.piece && option.place !== null),
  );
  /** How several spaces are selected together; null: one at a time. */
  multiSelect: MultiSelect | null = $derived.by(() => {
    const { view, placedOptions } = this;
    if (this.picksPlan) return null;
    const found = view && placedOptions.length ? (this.board.several?.(view, placedOptions) ?? null) : null;
    return found && found.most > 1 ? found : null;
  });
  /** What pointing at the hovered space would choose, while no space is selected. */
  hoveredOption: MoveOption | null = $derived.by(() => {
    const { effectiveSelection, hovered } = this;
    if (effectiveSelection.place !== null || hovered === null) return null;
    return choose(this.options, { ...effectiveSelection, place: hovered }).ready;
  });
  /** The move that "Confirm" sends; of several, the last one. */
  chosen: MoveOption | null = $derived.by(() => {
    if (this.multiSelect) return this.taken.at(-1) ?? null;
    const { ready } = this.choice;
    const selected = this.effectiveSelection.place !== null || (this.selection.piece !== null && ready?.place === null);
    return selected ? ready : null;
  });
  takenPlaces: Set<string> = $derived.by(
    () => new Set(this.multiSelect ? this.taken.flatMap((option) => option.place ?? []) : []),
  );
  /** The move that is drawn as a ghost: the chosen one, or the one under the pointer. */
  ghost: MoveOption | null = $derived.by(() => {
    const pointed = this.hoveredOption?.place !== null ? this.hoveredOption : null;
    if (this.multiSelect) return this.takenPlaces.has(pointed?.place ?? '') ? null : pointed;
    return this.chosen ?? pointed ?? this.plannedOption;
  });
  /** Whether the ghost is a move for later: its points are those of a turn that has not come. */
  ghostIsAhead: boolean = $derived.by(
    () => this.picksPlan || (this.ghost !== null && this.ghost === this.plannedOption),
  );

  // --- Derived: what is drawn and said ----------------------------------------------------------------------------------

  spaces: Space[] = $derived.by(() => (this.view ? this.board.spaces(this.view, this.session.names, this.area) : []));
  /** Where a planned move is shown as a ghost. */
  #plannedPlace: string[] = $derived.by(() => {
    const { ghost, plannedOption } = this;
    return ghost !== null && ghost === plannedOption && ghost.place !== null ? [ghost.place] : [];
  });
  /** All highlighted spaces: those that are referred to, those of the guide, and that of a planned move. */
  lit: Set<string> = $derived.by(() => {
    const places = [...this.referred, ...(this.guide.step?.light ?? []), ...this.#plannedPlace];
    return new Set(places);
  });
  turns: LogTurn[] = $derived.by(() =>
    logTurns(
      logLines(
        this.session.entries,
        (text) => this.session.text(text),
        this.board.quiet,
        (event) => this.placesOf(event),
        this.board.partOf,
      ),
    ),
  );
  /** The sentence in the action bar. */
  says: string = $derived.by(() => {
    const { session, board, view, outcome, standIn, holder, nextSeat } = this;
    if (!view) return 'One moment…';
    if (outcome) {
      const winners = joinWithAnd(outcome.winners.map((seat) => session.seatName(seat)));
      const won = outcome.winners.length > 1 ? `${winners} share the win` : `${winners} wins`;
      return `${won} with ${counted(Math.max(...outcome.scores), 'point')}. ${session.text(outcome.reason)}`;
    }
    if (session.held && !this.mine) return 'The guide has something to say: press Next to go on.';
    if (standIn?.why === 'resigned')
      return `${holder === null ? 'You have' : `${holder} has`} resigned. A bot plays that seat to the end.`;
    if (standIn?.once)
      return `Time ran out for ${holder ?? 'you'}: a bot makes this move. The next one is ${holder === null ? 'yours' : `${holder}'s`}.`;
    if (standIn) return `A bot plays for ${holder ?? 'you'}${standIn.why === 'timeout' ? ': time ran out' : ''}.`;
    if (nextSeat !== null && board.secret)
      return `Done. Now it is ${session.seatName(nextSeat)}'s turn: pass the device.`;
    if (this.picksPlan && this.planView) {
      const { planView } = this;
      if (this.chosen) return session.text(board.describe(planView, this.chosen));
      return planningText(session.text(board.prompt(planView, this.choice, this.effectiveSelection)));
    }
    if (this.plannedOption && this.planView && !this.chosen)
      return plannedText(session.text(board.describe(this.planView, this.plannedOption)));
    if (this.plan !== null && this.due && this.chosen?.move.move === this.plan)
      return `As planned: ${session.text(board.describe(view, this.chosen))}`;
    if (this.forced) return `Nothing to choose: ${session.text(this.forced.move.words)}.`;
    if (this.multiSelect) return session.text(board.prompt(view, this.choice, this.effectiveSelection));
    if (this.mine && this.chosen) return session.text(board.describe(view, this.chosen));
    if (this.mine) {
      const prompt = session.text(board.prompt(view, this.choice, this.effectiveSelection));
      return holder === null ? prompt : promptFor(holder, prompt);
    }
    const text = this.#waitingText();
    return session.seat === null ? `You are watching. ${text}` : text;
  });
  /** The title of the browser's tab. */
  title: string = $derived.by(() => {
    const name = this.info?.title ?? 'Wellies';
    const turn = this.holder === null ? 'Your turn' : turnText(this.holder);
    return this.outcome ? `Over · ${name}` : this.due ? `● ${turn} · ${name}` : `${name} · Wellies`;
  });

  /** Whom the table waits for, in one sentence. */
  #waitingText(): string {
    const { session, view } = this;
    const seats = this.waiting.filter((seat) => seat >= 0);
    const names = seats.map((seat) => session.seatName(seat));
    const levels = seats.map((seat) => this.seats[seat]?.bot ?? null);
    const thinking = thinkingWords(names, levels, this.bots);
    const text = thinking ?? (view && this.board.waiting?.(view, session.names));
    if (text) return text;
    return names.length ? `It is ${names.join(' and ')}'s turn.` : 'Chance is at work.';
  }

  /** The moves without points, at a table that shows none. */
  #withoutPoints(options: MoveOption[]): MoveOption[] {
    return this.badges ? options : options.map((option) => ({ ...option, move: { ...option.move, points: null } }));
  }

  /** The key of a space that an event of a seat names. */
  keyOf(where: unknown, seat: number): string {
    return (this.view && this.board.keyOf?.(this.view, where, seat)) ?? placeKey(where);
  }

  /** The spaces of an event. */
  placesOf(event: GameEvent): string[] {
    return (
      (this.view && this.board.placesOf?.(this.view, event)) ??
      placesOf(event, (where, seat) => this.keyOf(where, seat))
    );
  }

  select(option: MoveOption<Legal>): void {
    this.selection = { piece: option.piece, place: option.place, way: option.way };
  }

  clearSelection(): void {
    this.selection = { ...NO_SELECTION };
    this.hovered = null;
  }
}
