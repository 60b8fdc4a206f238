/** My tables, those of the server and those on this device, as one list. */
import { api, isUnreachable } from './api/http';
import type { TableInfo } from './api/types';
import { me } from './identity.svelte';
import { isTableInfo } from './keptTables';
import { IS_SITE } from './paths';
import { readStored, writeStored } from './storage';

interface About {
  state?: TableInfo['state'];
  /** A part of a player's name. */
  player?: string;
  /** Only tables that were created before this. */
  before?: number;
  limit: number;
}

/** When somebody last moved, or changed the table. An old table on this device may not know it. */
export const lastPlayed = (table: TableInfo): number =>
  (table.updated as number | undefined) ?? table.finished ?? table.started ?? table.created;

/** The newest of my tables: of the server, as it last told them if it cannot be reached, and of this device. */
export async function myTables(about: About): Promise<TableInfo[]> {
  const [served, here] = await Promise.all([servedTables(about), deviceTables(about)]);
  return [...served, ...here].sort((a, b) => b.created - a.created).slice(0, about.limit);
}

async function servedTables(about: About): Promise<TableInfo[]> {
  if (IS_SITE) return [];
  if (me.onDevice) return keptTables(about);
  try {
    const tables = me.person ? await api.tables({ ...about, mine: true }) : [];
    // A part of a list says nothing of the rest.
    if (!about.player && about.before === undefined) keepTables(tables, about);
    return tables;
  } catch (error) {
    if (isUnreachable(error)) return keptTables(about);
    throw error;
  }
}

const KEPT = 'wellies.serverTables';
const MOST_KEPT = 100;
const kept = (): TableInfo[] => {
  const found = readStored<unknown>(KEPT, []);
  return Array.isArray(found) ? found.filter(isTableInfo) : [];
};

/** Keeps in this browser what the server told of my tables: the newest of this state, or of all. */
function keepTables(tables: TableInfo[], { state, limit }: About): void {
  const known = new Set(tables.map((table) => table.id));
  /** Only tables that are older than these can be missing from the list. */
  const oldest = tables.length < limit ? 0 : (tables.at(-1)?.created ?? 0);
  const others = kept().filter(
    (table) => !known.has(table.id) && (table.created < oldest || (state !== undefined && table.state !== state)),
  );
  const next = [...others, ...tables].sort((a, b) => b.created - a.created).slice(0, MOST_KEPT);
  if (next.length || kept().length) writeStored(KEPT, next);
}

/** Forgets them, when somebody logs out. */
export const forgetTables = (): void => writeStored(KEPT, []);

/** My tables as the server last told them. */
const keptTables = (about: About): TableInfo[] => kept().filter((table) => fits(table, about));

function fits(table: TableInfo, { state, player = '', before = Infinity }: About): boolean {
  const wanted = player.trim().toLowerCase();
  const named = table.seats.some((seat) => seat.name.toLowerCase().includes(wanted));
  return (!state || table.state === state) && table.created < before && named;
}

/** Tables on this device. They are read from the browser's database: the engine is not needed for that. */
export async function deviceTables(about: About): Promise<TableInfo[]> {
  const { listTables } = await import('./local/database');
  // A browser that keeps nothing has no tables either.
  const tables = await listTables().catch(() => []);
  return tables.filter((table) => fits(table, about)).slice(0, about.limit);
}
