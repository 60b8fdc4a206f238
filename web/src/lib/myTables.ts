/** My tables, those of the server and those on this device, as one list. */
import { api, isUnreachable } from './api/http';
import type { TableInfo } from './api/types';
import { me } from './identity.svelte';

interface About {
  state?: TableInfo['state'];
  /** A part of a player's name. */
  player?: string;
  /** Only tables that were created before this. */
  before?: number;
  limit: number;
}

/** The newest of my tables. Where the server cannot be reached, those on this device. */
export async function myTables(about: About): Promise<TableInfo[]> {
  const asked = me.person && !me.onDevice ? api.tables({ ...about, mine: true }) : Promise.resolve([]);
  const [served, here] = await Promise.all([
    asked.catch((error: unknown) => {
      if (isUnreachable(error)) return [];
      throw error;
    }),
    deviceTables(about),
  ]);
  return [...served, ...here].sort((a, b) => b.created - a.created).slice(0, about.limit);
}

/** Tables on this device. They are read from the browser's database: the engine is not needed for that. */
export async function deviceTables({ state, player = '', before = Infinity, limit }: About): Promise<TableInfo[]> {
  const { listTables } = await import('./local/database');
  const wanted = player.trim().toLowerCase();
  // A browser that keeps nothing has no tables either.
  const tables = await listTables().catch(() => []);
  const found = tables.filter(
    (table) =>
      (!state || table.state === state) &&
      table.created < before &&
      table.seats.some((seat) => seat.name.toLowerCase().includes(wanted)),
  );
  return found.slice(0, limit);
}
