/**
 * Tables on this device, in the browser's own database. A table is a row, and its log: numbered entries, of which those that
 * were stored together are one value, by the number of the first. Texts are JSON that `wellies.local` writes and reads; they
 * are kept as they are, and nothing here knows what is in them, but for what lists show.
 */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { TableInfo } from '../api/types';

interface Schema extends DBSchema {
  tables: { key: string; value: { row: string } };
  entries: { key: [table: string, first: number]; value: string };
  device: { key: string; value: string };
}

const NAME = 'wellies';
const VERSION = 1;
const EMPTY = '[]';
/** Told to other tabs: this table has changed. */
const CHANNEL = 'wellies-tables';

let opened: Promise<IDBPDatabase<Schema>> | null = null;

function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>(NAME, VERSION, {
    upgrade(db) {
      db.createObjectStore('tables');
      db.createObjectStore('entries');
      db.createObjectStore('device');
    },
    // A newer page in another tab wants to change the database: let it, and open it again when it is needed.
    blocking(_old, _new, event) {
      (event.target as IDBDatabase).close();
      opened = null;
    },
    terminated() {
      opened = null;
    },
  });
  opened.catch(() => (opened = null));
  return opened;
}

const allOf = (table: string) => IDBKeyRange.bound([table, 0], [table, Infinity]);

/** The row and the entries of a table, as JSON; undefined if there is none. */
export async function loadTable(table: string): Promise<{ row: string; entries: string } | undefined> {
  const transaction = (await database()).transaction(['tables', 'entries']);
  const [found, entries] = await Promise.all([
    transaction.objectStore('tables').get(table),
    transaction.objectStore('entries').getAll(allOf(table)),
  ]);
  return found && { row: found.row, entries: `[${entries.map((some) => some.slice(1, -1)).join(',')}]` };
}

/**
 * Adds entries (a list in JSON) and the new row, all or nothing; false if another tab was faster: the number is taken, or,
 * without entries, the table is there. Whoever knows the log up to a number knows all that was stored together, so the first
 * number is enough.
 */
export async function storeEntries(table: string, first: number, entries: string, row: string): Promise<boolean> {
  const transaction = (await database()).transaction(['tables', 'entries'], 'readwrite', { durability: 'strict' });
  const tables = transaction.objectStore('tables');
  const writes =
    entries === EMPTY
      ? [tables.add({ row }, table)]
      : [transaction.objectStore('entries').add(entries, [table, first]), tables.put({ row }, table)];
  // All are awaited: the first to fail aborts the others.
  const [failed] = (await Promise.allSettled([...writes, transaction.done])).filter(
    (each) => each.status === 'rejected',
  );
  if (!failed) return true;
  if (failed.reason instanceof DOMException && failed.reason.name === 'ConstraintError') return false;
  throw failed.reason;
}

/** Replaces the row, if there is one. */
export async function putRow(table: string, row: string): Promise<void> {
  const transaction = (await database()).transaction('tables', 'readwrite');
  if ((await transaction.store.getKey(table)) !== undefined) await transaction.store.put({ row }, table);
  await transaction.done;
}

export async function listRows(): Promise<string[]> {
  return (await (await database()).getAll('tables')).map((found) => found.row);
}

export async function removeTable(table: string): Promise<void> {
  const transaction = (await database()).transaction(['tables', 'entries'], 'readwrite');
  await Promise.all([
    transaction.objectStore('tables').delete(table),
    transaction.objectStore('entries').delete(allOf(table)),
    transaction.done,
  ]);
}

/** The name of whoever uses this device; undefined if there is none yet. */
export async function readDeviceName(): Promise<string | undefined> {
  return (await database()).get('device', 'name');
}

export async function writeDeviceName(name: string): Promise<void> {
  await (await database()).put('device', name, 'name');
}

/** The tables on this device as lists show them, the newest first. Needs no engine. */
export async function listTables(): Promise<TableInfo[]> {
  const rows = await listRows();
  const tables = rows.map((row) => (JSON.parse(row) as { info: TableInfo }).info);
  return tables.sort((a, b) => b.created - a.created);
}

/** Tells other tabs which table has changed, and hears it from them. */
export class TableChannel {
  #channel = new BroadcastChannel(CHANNEL);

  constructor(onChange: (table: string) => void) {
    this.#channel.onmessage = (event) => onChange(String(event.data));
  }

  tell(table: string): void {
    this.#channel.postMessage(table);
  }

  close(): void {
    this.#channel.close();
  }
}
