/** One view of one table, kept current over a socket that mends itself. It holds what the server said and nothing else. */
import { api, ApiError } from './api/http';
import type {
  ChatLine,
  ClockFace,
  Decision,
  Entry,
  FromClient,
  FromServer,
  Hello,
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
import { kindly, spoken } from './words';

type Status = 'connecting' | 'live' | 'lost' | 'gone';
type Body = FromClient extends infer M ? (M extends { id?: string } ? Omit<M, 'id'> : never) : never;

interface Waiting {
  body: Body;
  done: (answer: FromServer) => void;
  failed: (error: Error) => void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const PING_EVERY = 15_000;
const PONG_WITHIN = 8_000;

/** How the people and bots at a table are called; bots of one level are told apart by numbers. */
export function namesOf(table: TableInfo | null): string[] {
  const seats = table?.seats ?? [];
  return seats.map((info) => {
    if (!info.name) return `Seat ${info.seat + 1}`;
    const same = seats.filter((other) => other.name === info.name);
    const name = info.kind === 'bot' ? info.name.charAt(0).toUpperCase() + info.name.slice(1) : info.name;
    return same.length > 1 ? `${name} ${same.indexOf(info) + 1}` : name;
  });
}

export class TableSession {
  readonly id: string;
  readonly invite: string | null;
  seat: number | null = $state(null);
  status: Status = $state('connecting');
  reason = $state('');
  table: TableInfo | null = $state.raw(null);
  view: View | null = $state.raw(null);
  legal: Legal[] = $state.raw([]);
  decision: Decision | null = $state.raw(null);
  entries: Entry[] = $state.raw([]);
  chat: ChatLine[] = $state.raw([]);
  /** How many lines of the chat were in sight, and how many were not. */
  chatRead = $state(0);
  unread = $derived(Math.max(0, this.chat.length - this.chatRead));
  presence: Presence = $state.raw({ seats: [], watching: 0 });
  clocks: ClockFace[] = $state.raw([]);
  /** What undo would do now, a takeback that waits for answers, and whether I may ask for hints. */
  undoing: UndoOffer = $state.raw({ kind: '', why: '', number: null });
  asked: UndoRequest | null = $state.raw(null);
  hinting: HintOffer = $state.raw({ allowed: false, why: '' });
  /** The page's clock minus the server's when the clocks were read. */
  clocksAt = $state(0);
  notice = $state('');
  version = 0;
  names: string[] = $derived(namesOf(this.table));

  /** Called with what is new, after the view has changed. */
  onEntries: (entries: Entry[]) => void = () => undefined;
  onChat: (line: ChatLine) => void = () => undefined;

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #next = 1;
  #tries = 0;
  #timer = 0;
  #pinger = 0;
  #over = 0;
  #closed = false;
  #queue: Update[] = [];
  #pacer = 0;
  #shown = 0;
  /** How long one move of others is shown before the next, in milliseconds. */
  pace: () => number = () => 0;
  /** Whether the moves of others wait, as while a guide speaks. */
  hold: () => boolean = () => false;
  /** Moves of others are there, and wait. */
  held = $state(false);
  /** The version after which the moves of others waited when the page was left. */
  heldAt: number | null = null;

  constructor(id: string, invite: string | null) {
    this.id = id;
    this.invite = invite;
  }

  /** Look at the table from a seat (null: as a spectator). What another seat saw is forgotten, unless it is `keep`-worthy: a game without secrets. */
  open(seat: number | null, keep = false): void {
    this.#drop();
    this.#closed = false;
    this.seat = seat;
    if (!keep) {
      this.forget();
      this.version = 0;
      this.entries = [];
    }
    this.#connect();
  }

  /** Nothing of the view stays in memory or on the page. */
  forget(): void {
    this.view = null;
    this.legal = [];
    this.decision = null;
  }

  close(): void {
    this.#closed = true;
    this.#drop();
    for (const waiting of this.#waiting.values()) waiting.failed(new Error('The table was left.'));
    this.#waiting.clear();
  }

  /** Try at once, as when the network comes back. */
  wake(): void {
    if (this.#closed || this.status === 'gone') return;
    if (this.status === 'live') this.#ping();
    else {
      this.#tries = 0;
      clearTimeout(this.#timer);
      this.#connect();
    }
  }

  name(seat: number | null): string {
    return seat === null || seat < 0 ? '' : (this.names[seat] ?? `Seat ${seat + 1}`);
  }

  /** A text of the server with names, and without notation. */
  say(text: string): string {
    return spoken(text, this.names);
  }

  // --- asking ---------------------------------------------------------------------------------------------------------

  async play(move: string): Promise<void> {
    await this.#ask({ type: 'play', move, decision: this.decision?.id ?? null });
  }

  async preview(move: string): Promise<Preview> {
    return (await this.#ask({ type: 'preview', move })) as Preview;
  }

  async why(move: string): Promise<string | null> {
    const answer = await this.#ask({ type: 'why', move });
    return answer.type === 'why' && answer.refusal !== null ? this.say(answer.refusal) : null;
  }

  /** Take my last move back, or ask the others for it, whichever the server offers. */
  async undo(): Promise<void> {
    await this.#ask({ type: this.undoing.kind === 'ask' ? 'ask_undo' : 'undo' });
  }

  async answerUndo(request: number, accept: boolean): Promise<void> {
    await this.#ask({ type: 'answer_undo', request, accept });
  }

  async hint(): Promise<{ move: string; words: string }> {
    const answer = await this.#ask({ type: 'hint' });
    return answer.type === 'hint' ? answer : { move: '', words: '' };
  }

  async talk(text: string): Promise<void> {
    await this.#ask({ type: 'chat', text });
  }

  /** The table anew, unless what is known of it is newer already: answers and news come by two roads. */
  know(table: TableInfo): void {
    if (!this.table || table.version >= this.table.version) this.table = table;
  }

  /** Play a seat of mine again that a bot plays for me. */
  async takeBack(seat: number): Promise<void> {
    this.know(await api.takeback(this.id, seat));
  }

  #ask(body: Body): Promise<FromServer> {
    return new Promise((done, failed) => {
      const id = String(this.#next++);
      this.#waiting.set(id, { body, done, failed });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#send(id, body);
      else if (body.type !== 'play') {
        this.#waiting.delete(id);
        failed(new Error('There is no connection just now.'));
      }
    });
  }

  #send(id: string, body: Body): void {
    this.#socket?.send(JSON.stringify({ ...body, id }));
  }

  // --- the socket -------------------------------------------------------------------------------------------------------

  #connect(): void {
    const address = new URL(`/ws/v1/tables/${encodeURIComponent(this.id)}`, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    if (this.seat !== null) address.searchParams.set('seat', String(this.seat));
    if (this.version) address.searchParams.set('since', String(this.version));
    if (this.invite) address.searchParams.set('invite', this.invite);
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data as string) as FromServer);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost(event);
    };
  }

  #drop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#pinger);
    clearTimeout(this.#over);
    clearTimeout(this.#pacer);
    this.#pacer = 0;
    this.#queue = [];
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lost(event: { code: number; reason: string }): void {
    this.#drop();
    if (this.#closed) return;
    if (event.code === 4404 || event.code === 4400) {
      this.status = 'gone';
      this.reason = event.reason || 'There is no such table, or it is not for you to see.';
      return;
    }
    if (event.code === 4401) {
      // The seat is mine no longer, or has another number: what I know of the table is old.
      this.status = 'connecting';
      this.open(null);
      return;
    }
    this.status = 'lost';
    for (const [id, waiting] of this.#waiting) {
      if (waiting.body.type === 'play') continue;
      this.#waiting.delete(id);
      waiting.failed(new Error('The connection was lost.'));
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.7 + 0.6 * Math.random());
    this.#timer = window.setTimeout(() => this.#connect(), event.code === 4429 ? LONGEST_WAIT : wait);
  }

  #ping(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ type: 'ping', id: '' }));
    clearTimeout(this.#over);
    this.#over = window.setTimeout(() => this.#lost({ code: 1006, reason: '' }), PONG_WITHIN);
  }

  #hear(message: FromServer): void {
    clearTimeout(this.#over);
    switch (message.type) {
      case 'hello':
        return this.#hello(message);
      case 'update':
        this.#queue.push(message);
        if (message.ack) this.#showAll();
        else this.#pace();
        return;
      case 'table':
        this.know(message.table);
        return;
      case 'chat':
        if (!this.chat.some((line) => line.id === message.line.id)) this.chat = [...this.chat, message.line];
        this.onChat(message.line);
        return;
      case 'presence':
        this.presence = message.presence;
        return;
      case 'notice':
        this.notice = message.code === 'all_well' ? '' : message.message;
        return;
      case 'error': {
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        waiting?.failed(new ApiError(0, message.code, this.say(kindly(message.code, message.message))));
        return;
      }
      case 'pong':
        if (message.version > this.version && !this.#queue.length) this.#lost({ code: 1006, reason: '' });
        return;
      default:
        this.#answer(message.id, message);
    }
  }

  /** Moves of others are shown one after the other, so that one can follow them; anything I do shows them all at once. */
  #pace(): void {
    this.held = this.#queue.length > 0 && this.hold();
    if (!this.#queue.length || this.#pacer || this.held) return;
    const wait = this.pace() ? this.#shown + this.pace() - performance.now() : 0;
    if (wait <= 0 || this.#queue.length > 6) {
      const next = this.#queue.shift();
      if (next) this.#apply(next);
      this.#pace();
    } else {
      this.#pacer = window.setTimeout(() => {
        this.#pacer = 0;
        this.#pace();
      }, wait);
    }
  }

  /** What waited may be shown. */
  go(): void {
    this.#pace();
  }

  flush(): void {
    if (!this.hold()) this.#showAll();
  }

  #showAll(): void {
    this.held = false;
    clearTimeout(this.#pacer);
    this.#pacer = 0;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#apply(next);
  }

  #apply(message: Update): void {
    this.#take(message);
    this.#shown = performance.now();
    if (message.ack) this.#answer(message.ack, message);
  }

  #answer(id: string, message: FromServer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.done(message);
  }

  #hello(message: Hello): void {
    const again = this.version > 0;
    this.#tries = 0;
    this.table = message.table;
    this.chat = message.chat;
    this.presence = message.presence;
    this.notice = '';
    if (again && this.hold() && message.version > this.version) this.#later(message);
    else if (again) this.#take(message);
    else if (this.heldAt !== null && message.version > this.heldAt) void this.#rewind(message, this.heldAt);
    else this.#begin(message);
    this.status = 'live';
    clearInterval(this.#pinger);
    this.#pinger = window.setInterval(() => this.#ping(), PING_EVERY);
    // A move that was under way when the connection broke is either in the log, or its decision is still open.
    for (const [id, waiting] of this.#waiting) {
      if (waiting.body.type !== 'play') continue;
      if (this.decision && waiting.body.decision === this.decision.id) this.#send(id, waiting.body);
      else this.#answer(id, message);
    }
  }

  #begin(message: Hello): void {
    this.entries = message.entries;
    this.#stand(message);
  }

  /** What the server says now is shown when the moves of others no longer wait. */
  #later(message: Hello): void {
    const { version, view, legal, decision, entries, clocks, now, hint, undo, asked } = message;
    this.#queue.push({ type: 'update', version, view, legal, decision, entries, clocks, now, hint, undo, asked });
    this.#pace();
  }

  /** The page was left while moves of others waited: they go on waiting. */
  async #rewind(message: Hello, at: number): Promise<void> {
    const socket = this.#socket;
    const asked = { seat: this.seat, from: at, to: at, invite: this.invite };
    const [moment] = await api.replay(this.id, asked).catch(() => []);
    if (socket !== this.#socket || this.version) return;
    if (moment?.number !== at) return this.#begin(message);
    const before = message.entries.filter((entry) => entry.number <= at);
    this.#begin({ ...message, version: at, view: moment.view, entries: before, legal: [], decision: null });
    this.#later(message);
  }

  #take(message: Hello | Update): void {
    const last = this.entries.at(-1)?.number ?? 0;
    const fresh = message.entries.filter((entry) => entry.number > last);
    if (fresh.length) this.entries = [...this.entries, ...fresh];
    this.#stand(message);
    if (fresh.length) this.onEntries(fresh);
  }

  #stand(message: Hello | Update): void {
    this.version = message.version;
    this.view = message.view;
    this.legal = message.legal ?? [];
    this.decision = message.decision;
    this.clocks = message.clocks;
    this.undoing = message.undo;
    this.asked = message.asked;
    this.hinting = message.hint;
    this.clocksAt = performance.now();
  }
}
