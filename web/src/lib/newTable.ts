/** Makes tables, with the server or on this device, and goes there. */
import { api, isUnreachable } from './api/http';
import type { TableInfo, TableWish } from './api/types';
import { me } from './identity.svelte';
import { isOnDevice, type Where } from './local/where';
import { IS_SITE } from './paths';
import { router } from './router.svelte';
import { serverState } from './serverState.svelte';
import { settings } from './settings.svelte';
import { readStored, writeStored } from './storage';
import { tableHandoff } from './tableHandoff';

const ASKED = 'wellies.persist';

/** Where a new table is if nobody says it: beside the game that it goes on from; else where the person likes it. */
function homeOf(wish: TableWish): Where {
  if (wish.from) return isOnDevice(wish.from.table) ? 'device' : 'server';
  if (wish.seats.some((seat) => seat.kind === 'open')) return 'server';
  return IS_SITE || !serverState.reachable ? 'device' : settings.values.where;
}

/** Whether a game can be played on this device. A server may know more of them. */
export async function isPlayedHere(game: string): Promise<boolean> {
  const { lookUp } = await import('./local/catalogue');
  return (await lookUp(`/games/${encodeURIComponent(game)}`).catch(() => undefined)) !== undefined;
}

/** Asks the browser once not to delete the tables of this device when its disk is full. Some browsers ask the person. */
function askToPersist(): void {
  if (readStored(ASKED, false) || !navigator.storage?.persist) return;
  writeStored(ASKED, true);
  navigator.storage.persist().catch(() => undefined);
}

/** Before a table is made on this device. */
export async function prepareDevice(): Promise<void> {
  askToPersist();
  // A browser that keeps nothing says so when the table is made.
  await me.tellDevice().catch(() => undefined);
}

async function create(wish: TableWish, where: Where): Promise<TableInfo> {
  if (where === 'device') await prepareDevice();
  return api.create(wish, where);
}

/** Makes a table. Where nobody says where, and the server turns out to be away, it is made on this device. */
export async function createTable(wish: TableWish, where?: Where): Promise<TableInfo> {
  let home = where ?? homeOf(wish);
  if (!where && home === 'device' && serverState.reachable && wish.game && !(await isPlayedHere(wish.game)))
    home = 'server';
  try {
    return await create(wish, home);
  } catch (error) {
    if (where || home === 'device' || wish.from || !isUnreachable(error)) throw error;
    if (wish.seats.some((seat) => seat.kind === 'open')) throw error;
    return create(wish, 'device');
  }
}

/** Goes to a table that was just made or joined. */
export function goToTable(table: TableInfo): void {
  tableHandoff.put(table);
  me.refresh();
  router.go(`/t/${table.id}`);
}
