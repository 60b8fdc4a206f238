/**
 * One seat's connection to one table. It holds what the server sent and nothing else, and it reconnects by itself. The
 * table page's own state (what is selected, hovered, highlighted) is in table/tableState.svelte.ts.
 */
import { api, ApiError } from './api/http';
import type {
  ChatLine,
  ClockFace,
  Decision,
  Entry,
  FromClient,
  FromServer,
  Hello,
  Hint,
  HintOffer,
  Legal,
  Presence,
  Preview,
  TableInfo,
  UndoOffer,
  UndoRequest,
  Update,
  View,
} from './api/types';
import { avoided } from './avoided.svelte';
import { isOnDevice } from './local/where';
import { openSocket, type TableSocket } from './tableSocket';
import { counted, displayText, errorText, seatName } from './text';

/** `gone`: there is no such table, or I may not see it. */
type Status = 'connecting' | 'live' | 'lost' | 'gone';
type Body = FromClient extends infer M ? (M extends { id?: string } ? Omit<M, 'id'> : never) : never;

/** What I plan my next move from: as if it were my turn. */
export interface Plans {
  version: number;
  view: View;
  legal: Legal[];
}

/** A request that the server has not answered yet. */
interface Pending {
  body: Body;
  resolve: (answer: FromServer) => void;
  reject: (error: Error) => void;
}

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 5000;
const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 8_000;
/** With more waiting updates than this, they are shown without a delay between them. */
const MAX_QUEUED = 6;

/** Close codes of the server: see docs/protocol.md. */
const CLOSED_BAD_REQUEST = 4400;
const CLOSED_NOT_MY_SEAT = 4401;
const CLOSED_NO_TABLE = 4404;
const CLOSED_TOO_MANY = 4429;
/** The browser's code for a connection that broke. */
const CLOSED_ABNORMALLY = 1006;

/** The names of the people and bots at a table. Several bots of one level are numbered. */
export function namesOf(table: TableInfo | null): string[] {
  const seats = table?.seats ?? [];
  return seats.map((info) => {
    if (!info.name) return seatName([], info.seat);
    const same = seats.filter((other) => other.name === info.name);
    const name = info.kind === 'bot' ? info.name.charAt(0).toUpperCase() + info.name.slice(1) : info.name;
    return same.length > 1 ? `${name} ${same.indexOf(info) + 1}` : name;
  });
}

export class TableSession {
  readonly id: string;
  readonly invite: string | null;
  /** Whether the table is on this device: nobody else can see it. */
  readonly onDevice: boolean;
  /** The seat that I look from; null: I am a spectator. */
  seat: number | null = $state(null);
  status: Status = $state('connecting');
  /** Why the status is `gone`. */
  reason = $state('');
  /** Seats, options and clock of the table. */
  table: TableInfo | null = $state.raw(null);
  /** The names by seat. */
  names: string[] = $derived(namesOf(this.table));
  /** What my seat may see; null before the server has sent it. */
  view: View | null = $state.raw(null);
  /** My legal moves; empty if I have nothing to decide. */
  legal: Legal[] = $state.raw([]);
  decision: Decision | null = $state.raw(null);
  /** The log. */
  entries: Entry[] = $state.raw([]);
  chat: ChatLine[] = $state.raw([]);
  /** How many lines of the chat I have seen. */
  chatRead = $state(0);
  /** The lines of the chat without those of people whom I mute. */
  heard = $derived(this.chat.filter((line) => !avoided.hides(line.person)));
  /** How many lines are left out, in words. */
  unheard = $derived.by(() => {
    const lines = this.chat.length - this.heard.length;
    return lines ? `${counted(lines, 'line')} of people whom you mute ${lines === 1 ? 'is' : 'are'} not shown.` : '';
  });
  unread = $derived(Math.max(0, this.heard.length - this.chatRead));
  presence: Presence = $state.raw({ seats: [], watching: 0 });
  clocks: ClockFace[] = $state.raw([]);
  /** When the clocks were read, by `performance.now()`. */
  clocksReadAt = $state(0);
  /** What undo would do now. */
  undoOffer: UndoOffer = $state.raw({ kind: '', why: '', number: null });
  /** A request to take a move back that waits for answers. */
  undoRequest: UndoRequest | null = $state.raw(null);
  /** Whether I may ask for a hint. */
  hintOffer: HintOffer = $state.raw({ allowed: false, why: '' });
  /** A message of the server about itself, such as that it is restarting. */
  notice = $state('');
  /** Whether I can choose my next move already, while others move. */
  canPlan = $state(false);
  /** What I would choose from if it were my turn at this version; null: not asked for. */
  plans: Plans | null = $state.raw(null);
  /** The number of the last log entry that `view` includes. */
  version = 0;
  /** The same for effects and what is derived, which follow it. */
  shownVersion = $state(0);

  /** Called with new entries, after the view has changed. */
  onEntries: (entries: Entry[]) => void = () => undefined;
  onChat: (line: ChatLine) => void = () => undefined;
  /** How long a move of others is shown before the next one, in milliseconds. */
  moveDelay: () => number = () => 0;
  /** Whether moves of others are held back, as while a guide waits for "Next". */
  isHeld: () => boolean = () => false;
  /** Whether moves of others are being held back. */
  held = $state(false);
  /** The version at which moves of others were held back when the page was closed. */
  heldAt: number | null = null;

  #socket: TableSocket | null = null;
  #pending = new Map<string, Pending>();
  #nextId = 1;
  #retries = 0;
  #closed = false;
  /** Updates that are not shown yet. */
  #queue: Update[] = [];
  /** When the last update was shown. */
  #shownAt = 0;
  #retryTimer = 0;
  #pingTimer = 0;
  #pongTimer = 0;
  #queueTimer = 0;

  constructor(id: string, invite: string | null) {
    this.id = id;
    this.invite = invite;
    this.onDevice = isOnDevice(id);
  }

  /** Looks at the table from a seat (null: as a spectator). `keep` keeps the old view meanwhile: only for games without secrets. */
  open(seat: number | null, keep = false): void {
    this.#disconnect();
    this.#closed = false;
    this.seat = seat;
    if (!keep) {
      this.clearView();
      this.version = 0;
      this.entries = [];
    }
    this.#connect();
  }

  /** Removes everything that only my seat may see. */
  clearView(): void {
    this.view = null;
    this.legal = [];
    this.decision = null;
    this.canPlan = false;
    this.plans = null;
  }

  close(): void {
    this.#closed = true;
    this.#disconnect();
    for (const pending of this.#pending.values()) pending.reject(new Error('The table was left.'));
    this.#pending.clear();
  }

  /** Reconnects at once if the connection is lost, as when the network comes back; checks it otherwise. */
  reconnect(): void {
    if (this.#closed || this.status === 'gone') return;
    if (this.status === 'live') this.#ping();
    else {
      this.#retries = 0;
      clearTimeout(this.#retryTimer);
      this.#connect();
    }
  }

  /** The name of a seat; empty for chance. */
  seatName(seat: number | null): string {
    return seat === null || seat < 0 ? '' : seatName(this.names, seat);
  }

  /** A text of the server as people read it. */
  text(text: string): string {
    return displayText(text, this.names);
  }

  // --- requests ---------------------------------------------------------------------------------------------------------

  async play(move: string): Promise<void> {
    await this.#request({ type: 'play', move, decision: this.decision?.id ?? null });
  }

  /** What a move would score; `ahead`: if it were my turn. */
  async preview(move: string, ahead = false): Promise<Preview> {
    return (await this.#request({ type: 'preview', move, ahead })) as Preview;
  }

  /** Asks for what I can plan from now. */
  async loadPlans(): Promise<void> {
    const answer = await this.#request({ type: 'plan' });
    if (answer.type === 'plan') this.plans = answer as unknown as Plans;
  }

  /** Why a move is not legal (`ahead`: would not be, if it were my turn); null if it is. */
  async refusalFor(move: string, ahead = false): Promise<string | null> {
    const answer = await this.#request({ type: 'why', move, ahead });
    return answer.type === 'why' && answer.refusal !== null ? this.text(answer.refusal) : null;
  }

  /** Takes my last move back, or asks the others for it, whichever the server offers. */
  async undo(): Promise<void> {
    await this.#request({ type: this.undoOffer.kind === 'ask' ? 'ask_undo' : 'undo' });
  }

  async answerUndo(request: number, accept: boolean): Promise<void> {
    await this.#request({ type: 'answer_undo', request, accept });
  }

  async hint(): Promise<Hint> {
    const answer = await this.#request({ type: 'hint' });
    return answer.type === 'hint' ? answer : { type: 'hint', id: '', move: '', words: '' };
  }

  async sendChat(text: string): Promise<void> {
    await this.#request({ type: 'chat', text });
  }

  /** Takes over newer information about the table. Older information is ignored: HTTP answers and socket messages may cross. */
  updateTable(table: TableInfo): void {
    if (!this.table || table.version >= this.table.version) this.table = table;
  }

  /** Plays a seat of mine again that a bot plays for me. */
  async reclaimSeat(seat: number): Promise<void> {
    this.updateTable(await api.takeback(this.id, seat));
  }

  /** Sends a request. A move is kept and sent again after a reconnect; all else fails without a connection. */
  #request(body: Body): Promise<FromServer> {
    return new Promise((resolve, reject) => {
      const id = String(this.#nextId++);
      this.#pending.set(id, { body, resolve, reject });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#send(id, body);
      else if (body.type !== 'play') {
        this.#pending.delete(id);
        reject(
          new Error(
            this.onDevice ? 'One moment, please: the table is not ready yet.' : 'There is no connection to the server.',
          ),
        );
      }
    });
  }

  #send(id: string, body: Body): void {
    this.#socket?.send(JSON.stringify({ ...body, id }));
  }

  // --- the socket -------------------------------------------------------------------------------------------------------

  #connect(): void {
    const query = new URLSearchParams();
    if (this.seat !== null) query.set('seat', String(this.seat));
    if (this.version) query.set('since', String(this.version));
    if (this.invite) query.set('invite', this.invite);
    const socket = openSocket(`/ws/v1/tables/${encodeURIComponent(this.id)}?${query}`, this.id);
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#onMessage(JSON.parse(event.data as string) as FromServer);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#onClose(event);
    };
  }

  #disconnect(): void {
    clearTimeout(this.#retryTimer);
    clearInterval(this.#pingTimer);
    clearTimeout(this.#pongTimer);
    clearTimeout(this.#queueTimer);
    this.#queueTimer = 0;
    this.#queue = [];
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #onClose(event: { code: number; reason: string }): void {
    this.#disconnect();
    if (this.#closed) return;
    if (event.code === CLOSED_NO_TABLE || event.code === CLOSED_BAD_REQUEST) {
      this.status = 'gone';
      this.reason = event.reason || 'There is no such table, or you may not see it.';
      return;
    }
    if (event.code === CLOSED_NOT_MY_SEAT) {
      // The seat was given to somebody else or has another number now: start again as a spectator.
      this.status = 'connecting';
      this.open(null);
      return;
    }
    this.status = 'lost';
    for (const [id, pending] of this.#pending) {
      if (pending.body.type === 'play') continue;
      this.#pending.delete(id);
      pending.reject(new Error('The connection was lost.'));
    }
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries++) * (0.7 + 0.6 * Math.random());
    this.#retryTimer = window.setTimeout(() => this.#connect(), event.code === CLOSED_TOO_MANY ? MAX_RETRY_MS : wait);
  }

  #ping(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ type: 'ping', id: '' }));
    clearTimeout(this.#pongTimer);
    this.#pongTimer = window.setTimeout(() => this.#onClose({ code: CLOSED_ABNORMALLY, reason: '' }), PONG_WITHIN_MS);
  }

  #onMessage(message: FromServer): void {
    clearTimeout(this.#pongTimer);
    switch (message.type) {
      case 'hello':
        return this.#onHello(message);
      case 'update':
        this.#queue.push(message);
        if (message.ack) this.#showQueue();
        else this.#showNext();
        return;
      case 'table':
        this.updateTable(message.table);
        return;
      case 'chat':
        if (!this.chat.some((line) => line.id === message.line.id)) this.chat = [...this.chat, message.line];
        if (!avoided.hides(message.line.person)) this.onChat(message.line);
        return;
      case 'presence':
        this.presence = message.presence;
        return;
      case 'notice':
        this.notice = message.code === 'all_well' ? '' : message.message;
        return;
      case 'error': {
        const pending = this.#pending.get(message.id);
        this.#pending.delete(message.id);
        pending?.reject(new ApiError(0, message.code, this.text(errorText(message.code, message.message))));
        return;
      }
      case 'pong':
        // The server is ahead of us although nothing is queued: an update was lost.
        if (message.version > this.version && !this.#queue.length)
          this.#onClose({ code: CLOSED_ABNORMALLY, reason: '' });
        return;
      default:
        this.#resolve(message.id, message);
    }
  }

  #resolve(id: string, message: FromServer): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.resolve(message);
  }

  // --- showing updates --------------------------------------------------------------------------------------------------

  /** Shows queued moves of others one after the other, `moveDelay` apart. */
  #showNext(): void {
    this.held = this.#queue.length > 0 && this.isHeld();
    if (!this.#queue.length || this.#queueTimer || this.held) return;
    const wait = this.moveDelay() ? this.#shownAt + this.moveDelay() - performance.now() : 0;
    if (wait <= 0 || this.#queue.length > MAX_QUEUED) {
      const next = this.#queue.shift();
      if (next) this.#showUpdate(next);
      this.#showNext();
    } else {
      this.#queueTimer = window.setTimeout(() => {
        this.#queueTimer = 0;
        this.#showNext();
      }, wait);
    }
  }

  /** Goes on with the queue after moves were held back. */
  resume(): void {
    this.#showNext();
  }

  /** Shows all queued moves at once, because the person acts; does nothing while moves are held back. */
  showAll(): void {
    if (!this.isHeld()) this.#showQueue();
  }

  #showQueue(): void {
    this.held = false;
    clearTimeout(this.#queueTimer);
    this.#queueTimer = 0;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#showUpdate(next);
  }

  #showUpdate(message: Update): void {
    this.#addEntries(message);
    this.#shownAt = performance.now();
    if (message.ack) this.#resolve(message.ack, message);
  }

  #onHello(message: Hello): void {
    const reconnected = this.version > 0;
    this.#retries = 0;
    this.table = message.table;
    this.chat = message.chat;
    this.presence = message.presence;
    this.notice = '';
    if (reconnected && this.isHeld() && message.version > this.version) this.#enqueue(message);
    else if (reconnected) this.#addEntries(message);
    else if (this.heldAt !== null && message.version > this.heldAt) void this.#showHeld(message, this.heldAt);
    else this.#showFirst(message);
    this.status = 'live';
    clearInterval(this.#pingTimer);
    this.#pingTimer = window.setInterval(() => this.#ping(), PING_EVERY_MS);
    // A move that was under way when the connection broke is either in the log, or its decision is still open.
    for (const [id, pending] of this.#pending) {
      if (pending.body.type !== 'play') continue;
      if (this.decision && pending.body.decision === this.decision.id) this.#send(id, pending.body);
      else this.#resolve(id, message);
    }
  }

  #showFirst(message: Hello): void {
    this.entries = message.entries;
    this.#setState(message);
  }

  /** Queues the state of a hello like an update, to be shown when moves of others are no longer held back. */
  #enqueue(message: Hello): void {
    const { version, view, legal, decision, entries, clocks, now, hint, undo, asked, plan } = message;
    this.#queue.push({ type: 'update', version, view, legal, decision, entries, clocks, now, hint, undo, asked, plan });
    this.#showNext();
  }

  /** The page was closed while moves of others were held back: shows the same moment again, and queues the rest. */
  async #showHeld(message: Hello, at: number): Promise<void> {
    const socket = this.#socket;
    const query = { seat: this.seat, from: at, to: at, invite: this.invite };
    const [moment] = await api.replay(this.id, query).catch(() => []);
    if (socket !== this.#socket || this.version) return;
    if (moment?.number !== at) return this.#showFirst(message);
    const before = message.entries.filter((entry) => entry.number <= at);
    this.#showFirst({
      ...message,
      version: at,
      view: moment.view,
      entries: before,
      legal: [],
      decision: null,
      plan: false,
    });
    this.#enqueue(message);
  }

  /** Adds the entries that are new, takes over the state, and tells `onEntries`. */
  #addEntries(message: Hello | Update): void {
    const last = this.entries.at(-1)?.number ?? 0;
    const fresh = message.entries.filter((entry) => entry.number > last);
    if (fresh.length) this.entries = [...this.entries, ...fresh];
    this.#setState(message);
    if (fresh.length) this.onEntries(fresh);
  }

  #setState(message: Hello | Update): void {
    this.version = message.version;
    this.shownVersion = message.version;
    this.view = message.view;
    this.legal = message.legal ?? [];
    this.decision = message.decision;
    this.clocks = message.clocks;
    this.undoOffer = message.undo;
    this.undoRequest = message.asked;
    this.hintOffer = message.hint;
    this.canPlan = message.plan;
    if (!message.plan) this.plans = null;
    this.clocksReadAt = performance.now();
  }
}
