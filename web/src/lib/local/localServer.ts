/**
 * The server on this device: requests and sockets as to the real server, answered by a worker. The worker is started with the
 * first request, and again if it dies: all tables are in the browser's database.
 */
import engine from 'virtual:engine';
import { ApiError } from '../api/http';
import { ROOT } from './address';
import { engineState } from './engineState.svelte';
import type { FromTables, ToTables } from './messages';

/** The browser's code for a connection that broke. */
const CLOSED_ABNORMALLY = 1006;

interface Waiting {
  resolve: (answer: string) => void;
  reject: (error: Error) => void;
}

class LocalServer {
  #worker: Worker | null = null;
  #requests = new Map<number, Waiting>();
  #connections = new Map<number, Holder>();
  /** The next number for a request or a connection. */
  #next = 1;

  request(method: string, path: string, body: string | null): Promise<string> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#requests.set(id, { resolve, reject });
      this.tell({ type: 'request', id, method, path, body });
    });
  }

  open(path: string, holder: Holder): number {
    const conn = this.#next++;
    this.#connections.set(conn, holder);
    this.tell({ type: 'connect', conn, path });
    return conn;
  }

  close(conn: number): void {
    if (this.#connections.delete(conn)) this.tell({ type: 'disconnect', conn });
  }

  /** Starts the worker where there is none. It answers in the order in which it is asked, as soon as it is ready. */
  start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./tableWorker.ts', import.meta.url), { type: 'module', name: 'wellies-tables' });
    this.#worker = worker;
    engineState.phase = 'loading';
    engineState.done = engineState.total = 0;
    worker.onmessage = ({ data }: MessageEvent<FromTables>) => this.#onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#onDeath(event.message || 'The games on this device stopped working.');
    };
    worker.postMessage({ type: 'start', source: { engine, root: ROOT } } satisfies ToTables);
    return worker;
  }

  tell(message: ToTables): void {
    this.start().postMessage(message);
  }

  #onMessage(message: FromTables): void {
    switch (message.type) {
      case 'progress':
        engineState.done = message.done;
        engineState.total = message.total;
        if (message.done >= message.total) engineState.phase = 'starting';
        return;
      case 'ready':
        engineState.phase = 'ready';
        return;
      case 'answer':
        this.#requests.get(message.id)?.resolve(message.answer);
        this.#requests.delete(message.id);
        return;
      case 'send':
        this.#connections.get(message.conn)?.receive(message.text);
        return;
      case 'close': {
        const holder = this.#connections.get(message.conn);
        this.#connections.delete(message.conn);
        holder?.end(message.code, message.reason);
        return;
      }
      case 'failed':
        this.#onDeath(message.message);
    }
  }

  /** All that waits fails, with a sentence for people. Sessions connect again, and so start a new worker. */
  #onDeath(why: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    engineState.phase = 'off';
    console.warn('The engine stopped:', why);
    const requests = [...this.#requests.values()];
    const holders = [...this.#connections.values()];
    this.#requests.clear();
    this.#connections.clear();
    for (const request of requests) request.reject(new ApiError(0, 'engine', why));
    for (const holder of holders) holder.end(CLOSED_ABNORMALLY, why);
  }
}

const server = new LocalServer();

/** Downloads and starts the engine, if that has not been done. */
export function startEngine(): void {
  server.start();
}

/** Answers a request to `/api/v1` as the server does. */
export async function localRequest(method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await server.request(method, `/api/v1${path}`, body === undefined ? null : JSON.stringify(body));
  const { status, body: json, text } = JSON.parse(answer) as { status: number; body: unknown; text: string | null };
  return new Response(text ?? JSON.stringify(json), { status });
}

/** Who holds the page's end of a connection. */
interface Holder {
  receive: (text: string) => void;
  end: (code: number, reason: string) => void;
}

/** Opens a connection to a table on this device. `path` begins with `/ws/v1/tables/` and may have a query. */
export function localConnection(path: string, holder: Holder): { send: (text: string) => void; close: () => void } {
  const conn = server.open(path, holder);
  return { send: (text) => server.tell({ type: 'receive', conn, text }), close: () => server.close(conn) };
}
