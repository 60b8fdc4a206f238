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
import { hold } from './lifeline';
import type { FromTables, Start, ToTables } from './messages';
import { startPython } from './python';

/** `LocalApp` of `wellies.local.browser`. */
interface LocalApp {
  request(method: string, path: string, body: string | undefined): Promise<string>;
  connect(conn: number, path: string): void;
  receive(conn: number, text: string): void;
  disconnect(conn: number): void;
  stored_elsewhere(table: string): void;
}

const tell = (message: FromTables) => self.postMessage(message);

/** What Python asks of the browser. Python has no `null`: what is not there is `undefined`. */
function makeHost(bots: BotDriver, channel: TableChannel) {
  return {
    send: (conn: number, text: string) => tell({ type: 'send', conn, text }),
    close: (conn: number, code: number, reason: string) => tell({ type: 'close', conn, code, reason }),
    async load(table: string): Promise<string | undefined> {
      const found = await loadTable(table);
      return found && `{"row":${found.row},"entries":${found.entries}}`;
    },
    async store(table: string, first: number, entries: string, row: string): Promise<boolean> {
      const stored = await storeEntries(table, first, entries, row);
      if (stored) channel.tell(table);
      return stored;
    },
    async put_row(table: string, row: string): Promise<void> {
      await putRow(table, row);
      channel.tell(table);
    },
    list: async () => `[${(await listRows()).join(',')}]`,
    async remove(table: string): Promise<void> {
      await removeTable(table);
      channel.tell(table);
    },
    choose: (task: string) => bots.ask('choose', task),
    judge: (task: string) => bots.ask('judge', task),
    name: () => readDeviceName(),
    set_name: (name: string) => writeDeviceName(name),
  };
}

async function start({ source, lifeline }: Start): Promise<LocalApp> {
  await hold(lifeline);
  tell({ type: 'alive' });
  const python = await startPython(source, (progress) => tell({ type: 'progress', ...progress }));
  const bots = new BotDriver(source);
  const channel = new TableChannel((table) => app.stored_elsewhere(table));
  const browser = python.pyimport('wellies.local.browser') as { open_app(host: object): LocalApp };
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
      app = start(data);
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
