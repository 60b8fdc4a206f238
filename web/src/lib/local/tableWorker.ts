/** The worker that holds the tables on this device: `wellies.local` in Python. It speaks as the server does. */
import { BotDriver } from './botDriver';
import {
  listRows,
  loadTable,
  putRow,
  readDeviceName,
  removeTable,
  storeEntries,
  TableChannel,
  writeDeviceName,
} from './database';
import { dropDamaged } from './engineDownload';
import { hold } from './lifeline';
import type { FromTables, Start, ToTables } from './messages';
import { importModule, startPython } from './python';

/** `LocalApp` of `wellies.local.browser`. */
interface LocalApp {
  request(method: string, path: string, body: string | undefined): Promise<string>;
  connect(conn: number, path: string): void;
  receive(conn: number, text: string): void;
  disconnect(conn: number): void;
  stored_elsewhere(table: string): void;
}

const tell = (message: FromTables) => self.postMessage(message);

const DAMAGED = 'A part of the games was damaged in this browser. It is fetched again when you try again.';
const FORBIDDEN = 'it does not allow this page to store anything; allow it in its settings, or use another browser';

/** Why the browser's database fails, for people. */
const REASONS: Record<string, string> = {
  QuotaExceededError: 'its storage is full; make room on the disk, or delete old games',
  SecurityError: FORBIDDEN,
  InvalidStateError: FORBIDDEN,
  VersionError: 'a newer version of Wellies was here; reload the page',
};

/** A promise that fails with a plain error, or not at all: Python would wait for ever for what the database throws. */
async function forPython<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
    throw new Error(REASONS[name] ?? (message || name));
  }
}

/** What Python asks of the browser. Python has no `null`: what is not there is `undefined`. */
function makeHost(bots: BotDriver, channel: TableChannel) {
  const load = async (table: string) => {
    const found = await loadTable(table);
    return found && `{"row":${found.row},"entries":${found.entries}}`;
  };
  const told = async <T>(table: string, work: Promise<T>) => {
    const result = await work;
    if (result !== false) channel.tell(table);
    return result;
  };
  return {
    send: (conn: number, text: string) => tell({ type: 'send', conn, text }),
    close: (conn: number, code: number, reason: string) => tell({ type: 'close', conn, code, reason }),
    load: (table: string) => forPython(load(table)),
    store: (table: string, first: number, entries: string, row: string) =>
      forPython(told(table, storeEntries(table, first, entries, row))),
    put_row: (table: string, row: string) => forPython(told(table, putRow(table, row))),
    list: () => forPython(listRows().then((rows) => JSON.stringify(rows))),
    remove: (table: string) => forPython(told(table, removeTable(table))),
    choose: (task: string) => forPython(bots.ask('choose', task)),
    judge: (task: string) => forPython(bots.ask('judge', task)),
    name: () => forPython(readDeviceName()),
    set_name: (name: string) => forPython(writeDeviceName(name)),
  };
}

async function start({ source, lifeline }: Start): Promise<LocalApp> {
  await hold(lifeline);
  tell({ type: 'alive' });
  const { python, files, wasm } = await startPython(source, (progress) => tell({ type: 'progress', ...progress }));
  const bots = new BotDriver(source, { files, wasm });
  const channel = new TableChannel((table) => app.stored_elsewhere(table));
  const browser = importModule<{ open_app(host: object): LocalApp }>(python, 'wellies.local.browser');
  const app = browser.open_app(makeHost(bots, channel));
  tell({ type: 'ready' });
  // Nearly every table has bots or hints: they get ready while the person looks at the board.
  bots.start();
  return app;
}

let app: Promise<LocalApp> | null = null;

self.onmessage = async ({ data }: MessageEvent<ToTables>) => {
  try {
    if (data.type === 'start') {
      app = start(data).catch(async (error: unknown) => {
        throw (await dropDamaged(data.source)) ? new Error(DAMAGED) : error;
      });
      await app;
      return;
    }
    const local = await app;
    if (!local) return;
    if (data.type === 'request') {
      const answer = await local.request(data.method, data.path, data.body ?? undefined);
      tell({ type: 'answer', id: data.id, answer });
    } else if (data.type === 'connect') local.connect(data.conn, data.path);
    else if (data.type === 'receive') local.receive(data.conn, data.text);
    else local.disconnect(data.conn);
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
