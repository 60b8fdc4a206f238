/**
 * The server on this device: requests and sockets as to the real server, answered by a worker. The worker is started with the
 * first request, and again if it dies: all tables are in the browser's database.
 */
import engine from 'virtual:engine';
import { ApiError } from '../api/http';
import { IS_SITE } from '../paths';
import { ROOT } from './address';
import { isDownloaded, type EngineSource } from './engineDownload';
import { serverState } from '../serverState.svelte';
import { engineState } from './engineState.svelte';
import { newName, watch } from './lifeline';
import type { FromTables, ToTables } from './messages';

const SOURCE: EngineSource = { engine, root: ROOT };

/** The browser's code for a connection that broke. */
const CLOSED_ABNORMALLY = 1006;
const NOT_LOADED = 'The games could not be downloaded. Check your connection, then try again.';
const STOPPED = 'The games on this device stopped working, and are started again.';

interface Request {
  message: ToTables;
  resolve: (answer: string) => void;
  reject: (error: Error) => void;
}

/** Who holds the page's end of a connection. */
interface Holder {
  receive: (text: string) => void;
  end: (code: number, reason: string) => void;
}

interface Connection {
  message: ToTables;
  holder: Holder;
}

class LocalServer {
  #worker: Worker | null = null;
  #stopWatching = () => {};
  #requests = new Map<number, Request>();
  #connections = new Map<number, Connection>();
  /** The next number for a request or a connection. */
  #next = 1;

  request(method: string, path: string, body: string | null): Promise<string> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      const message: ToTables = { type: 'request', id, method, path, body };
      this.#requests.set(id, { message, resolve, reject });
      if (this.#worker) this.tell(message);
      else this.start();
    });
  }

  open(path: string, holder: Holder): number {
    const conn = this.#next++;
    const message: ToTables = { type: 'connect', conn, path };
    this.#connections.set(conn, { message, holder });
    if (this.#worker) this.tell(message);
    else this.start();
    return conn;
  }

  close(conn: number): void {
    if (this.#connections.delete(conn)) this.tell({ type: 'disconnect', conn });
  }

  tell(message: ToTables): void {
    this.#worker?.postMessage(message);
  }

  /** Starts the worker where there is none. It answers all that waits, in the order of asking, as soon as it is ready. */
  start(): void {
    if (this.#worker) return;
    const worker = new Worker(new URL('./tableWorker.ts', import.meta.url), { type: 'module', name: 'wellies-tables' });
    const lifeline = newName();
    this.#worker = worker;
    engineState.phase = 'loading';
    engineState.done = engineState.total = 0;
    worker.onmessage = ({ data }: MessageEvent<FromTables>) => {
      if (data.type === 'alive') this.#stopWatching = watch(lifeline, () => this.#onDeath(STOPPED));
      else this.#onMessage(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // Before it is ready, its script could not be loaded.
      this.#onDeath(engineState.phase === 'ready' ? event.message || STOPPED : NOT_LOADED);
    };
    this.tell({ type: 'start', source: SOURCE, lifeline });
    for (const { message } of this.#requests.values()) this.tell(message);
    for (const { message } of this.#connections.values()) this.tell(message);
  }

  #onMessage(message: Exclude<FromTables, { type: 'alive' }>): void {
    switch (message.type) {
      case 'progress':
        engineState.done = message.done;
        engineState.total = message.total;
        engineState.phase = message.done >= message.total ? 'starting' : 'loading';
        return;
      case 'ready':
        engineState.phase = 'ready';
        return;
      case 'answer':
        this.#requests.get(message.id)?.resolve(message.answer);
        this.#requests.delete(message.id);
        return;
      case 'send':
        this.#connections.get(message.conn)?.holder.receive(message.text);
        return;
      case 'close': {
        const connection = this.#connections.get(message.conn);
        this.#connections.delete(message.conn);
        connection?.holder.end(message.code, message.reason);
        return;
      }
      case 'failed':
        this.#onDeath(message.message);
    }
  }

  /**
   * A worker that never got ready has done nothing: what waits for it goes on waiting until the person tries again. All
   * that waits for one that worked fails, with a sentence for people. Sessions connect again, and so start a new worker.
   */
  #onDeath(why: string): void {
    const worked = engineState.phase === 'ready';
    this.#stopWatching();
    this.#worker?.terminate();
    this.#worker = null;
    console.warn('The engine stopped:', why);
    engineState.phase = worked ? 'off' : 'failed';
    engineState.failure = worked ? '' : why;
    if (worked) this.#endAll(why);
    // Perhaps the server is away: then this goes on when it is back.
    else if (!IS_SITE) serverState.note(0);
  }

  #endAll(why: string): void {
    const requests = [...this.#requests.values()];
    const connections = [...this.#connections.values()];
    this.#requests.clear();
    this.#connections.clear();
    for (const request of requests) request.reject(new ApiError(0, 'engine', why));
    for (const { holder } of connections) holder.end(CLOSED_ABNORMALLY, why);
  }

  /** The person no longer wants what waits for an engine that could not be started. */
  giveUp(): void {
    if (engineState.phase !== 'failed') return;
    engineState.phase = 'off';
    this.#endAll(engineState.failure);
  }
}

const server = new LocalServer();
/** What failed for want of a connection is tried again when there is one. */
const retry = () => {
  if (engineState.phase === 'failed') server.start();
};
addEventListener('online', retry);
serverState.onBack(retry);

/** Downloads and starts the engine, if that has not been done. */
export function startEngine(): void {
  server.start();
}

/** Whether the engine has been downloaded. */
export const isEngineHere = (): Promise<boolean> => isDownloaded(SOURCE);

/** Ends what waits for an engine that could not be started. */
export function giveUpEngine(): void {
  server.giveUp();
}

/** Answers a request to `/api/v1` as the server does. */
export async function localRequest(method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await server.request(method, `/api/v1${path}`, body === undefined ? null : JSON.stringify(body));
  const { status, body: json, text } = JSON.parse(answer) as { status: number; body: unknown; text: string | null };
  return new Response(text ?? JSON.stringify(json), { status });
}

/** Opens a connection to a table on this device. `path` begins with `/ws/v1/tables/` and may have a query. */
export function localConnection(path: string, holder: Holder): { send: (text: string) => void; close: () => void } {
  const conn = server.open(path, holder);
  return { send: (text) => server.tell({ type: 'receive', conn, text }), close: () => server.close(conn) };
}
