/** A connection to a table: to the server, or to a table on this device. */
import { isOnDevice } from './local/where';

/** The part of a WebSocket that a table session uses. */
export interface TableSocket {
  readonly readyState: number;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

/** `path` begins with `/ws/v1/tables/`. */
export function openSocket(path: string, table: string): TableSocket {
  if (isOnDevice(table)) return new DeviceSocket(path);
  const address = new URL(path, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(address);
}

/** A connection to a table on this device. The code for it is loaded when it is first opened. */
class DeviceSocket implements TableSocket {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  #state: number = WebSocket.CONNECTING;
  #leave: () => void = () => undefined;

  constructor(path: string) {
    import('./local/localServer').then(
      ({ localConnection }) => {
        if (this.#state === WebSocket.CLOSED) return;
        const connection = localConnection(path, {
          receive: (text) => {
            this.#state = WebSocket.OPEN;
            this.onmessage?.(new MessageEvent('message', { data: text }));
          },
          end: (code, reason) => this.#end(code, reason),
        });
        this.#send = connection.send;
        this.#leave = connection.close;
      },
      () => this.#end(CLOSED_ABNORMALLY, ''),
    );
  }

  get readyState(): number {
    return this.#state;
  }

  #send: (text: string) => void = () => undefined;

  send(text: string): void {
    this.#send(text);
  }

  close(): void {
    this.#leave();
    this.#end(CLOSED_NORMALLY, '');
  }

  #end(code: number, reason: string): void {
    if (this.#state === WebSocket.CLOSED) return;
    this.#state = WebSocket.CLOSED;
    this.onclose?.(new CloseEvent('close', { code, reason }));
  }
}

const CLOSED_NORMALLY = 1000;
/** The browser's code for a connection that broke. */
const CLOSED_ABNORMALLY = 1006;
