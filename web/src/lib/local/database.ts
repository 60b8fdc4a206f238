/**
 * Tables on this device, in the browser's own database. A table is a row, and its log: numbered entries, of which those that
 * were stored together are one value, by the number of the first. Texts are JSON that `wellies.local` writes and reads; they
 * are kept as they are. Of a row only its `info` is read, which is what lists show: it is kept beside, so that a list needs
 * neither the engine nor whole rows.
 */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { TableInfo } from '../api/types';
import { isTableInfo } from '../keptTables';

interface Schema extends DBSchema {
  rows: { key: string; value: string };
  infos: { key: string; value: TableInfo };
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
  // Some browsers have none where they shall keep nothing.
  if (!self.indexedDB) return Promise.reject(new DOMException('There is no database.', 'SecurityError'));
  opened ??= openDB<Schema>(NAME, VERSION, {
    upgrade(db) {
      for (const store of ['rows', 'infos', 'entries', 'device'] as const) db.createObjectStore(store);
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
const infoOf = (row: string) => (JSON.parse(row) as { info: TableInfo }).info;

/** The row and the entries of a table, as JSON; undefined if there is none. */
export async function loadTable(table: string): Promise<{ row: string; entries: string } | undefined> {
  const transaction = (await database()).transaction(['rows', 'entries']);
  const [row, entries] = await Promise.all([
    transaction.objectStore('rows').get(table),
    transaction.objectStore('entries').getAll(allOf(table)),
  ]);
  return row === undefined ? undefined : { row, entries: `[${entries.map((some) => some.slice(1, -1)).join(',')}]` };
}

/**
 * Adds entries (a list in JSON) and the new row, all or nothing; false if another tab was faster: the number is taken, the
 * table is gone, or, without entries, the table is there. Whoever knows the log up to a number knows all that was stored
 * together, so the first number is enough.
 */
export async function storeEntries(table: string, first: number, entries: string, row: string): Promise<boolean> {
  const transaction = (await database()).transaction(['rows', 'infos', 'entries'], 'readwrite', {
    durability: 'strict',
  });
  const rows = transaction.objectStore('rows');
  if (first > 1 && (await rows.getKey(table)) === undefined) return false;
  const writes = [
    entries === EMPTY ? rows.add(row, table) : rows.put(row, table),
    transaction.objectStore('infos').put(infoOf(row), table),
    ...(entries === EMPTY ? [] : [transaction.objectStore('entries').add(entries, [table, first])]),
  ];
  // All are awaited: the first to fail aborts the others, and says why.
  const results = await Promise.allSettled([...writes, transaction.done]);
  const failures = results.filter((each) => each.status === 'rejected').map((each) => each.reason as unknown);
  if (!failures.length) return true;
  if (failures.some((failure) => nameOf(failure) === 'ConstraintError')) return false;
  throw failures.find((failure) => nameOf(failure) !== 'AbortError') ?? failures[0];
}

const nameOf = (error: unknown) => (error instanceof DOMException ? error.name : '');

/** Replaces the row, if there is one. */
export async function putRow(table: string, row: string): Promise<void> {
  const transaction = (await database()).transaction(['rows', 'infos'], 'readwrite');
  const rows = transaction.objectStore('rows');
  if ((await rows.getKey(table)) !== undefined)
    await Promise.all([rows.put(row, table), transaction.objectStore('infos').put(infoOf(row), table)]);
  await transaction.done;
}

export async function listRows(): Promise<string[]> {
  return (await database()).getAll('rows');
}

export async function removeTable(table: string): Promise<void> {
  const transaction = (await database()).transaction(['rows', 'infos', 'entries'], 'readwrite');
  await Promise.all([
    transaction.objectStore('rows').delete(table),
    transaction.objectStore('infos').delete(table),
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
  const tables = (await (await database()).getAll('infos')).filter(isTableInfo);
  return tables.sort((a, b) => b.created - a.created);
}

/** Tells other tabs which table has changed, and hears it from them. */
export class TableChannel {
  #channel = new BroadcastChannel(CHANNEL);

  constructor(onChange: (table: string) => void = () => undefined) {
    this.#channel.onmessage = (event) => onChange(String(event.data));
  }

  tell(table: string): void {
    this.#channel.postMessage(table);
  }

  close(): void {
    this.#channel.close();
  }
}

/** Deletes all tables for good, also those that lists leave out. */
export async function deleteAllTables(): Promise<void> {
  const tables = await (await database()).getAllKeys('rows');
  for (const table of tables) await deleteTable(table);
}

/** Deletes a table for good. Every tab that shows it is told; the engine is not needed. */
export async function deleteTable(table: string): Promise<void> {
  await removeTable(table);
  const channel = new TableChannel();
  channel.tell(table);
  channel.close();
}
