/** Opens a table with one request: against bots, for friends, or for several people on this device. */
import type { GameInfo, SeatWish, TableInfo } from './api/types';
import { guideOffer } from './guide/guideOffer';
import { readStoredTexts, writeStored } from './storage';
import { loadBoard } from '../games/registry';
import { me } from './identity.svelte';
import { createTable, goToTable } from './newTable';
import { settings } from './settings.svelte';
import { withErrorToast } from './toasts.svelte';

const NAMES = 'wellies.names';

/** Names for the players on this device: those of last time, as many as the game allows. */
export function lastNames(game: GameInfo): string[] {
  const names = readStoredTexts(NAMES);
  if (me.chosenName && !names.includes(me.chosenName)) names[0] = me.chosenName;
  const count = Math.min(Math.max(2, game.min_seats, names.length), game.max_seats);
  return Array.from({ length: count }, (_, i) => names[i] ?? '');
}

export const placeholderName = (seat: number): string => `Player ${seat + 1}`;

/** Starts a game on one device. A player without a name gets a numbered one. */
export function startPassAndPlay(game: GameInfo, names: readonly string[]): Promise<TableInfo> {
  const trimmed = names.map((name) => name.trim());
  writeStored(NAMES, trimmed);
  const seats: SeatWish[] = trimmed.map((name, i) => ({ kind: 'me', name: name || placeholderName(i) }));
  return openTable(game, seats, true, trimmed[0]);
}

/** Starts a game against bots, or opens a table with free chairs for friends. */
export async function startQuickTable(game: GameInfo, how: 'bots' | 'friends'): Promise<void> {
  const other: SeatWish = how === 'bots' ? { kind: 'bot', level: settings.values.level } : { kind: 'open' };
  const seats: SeatWish[] = [{ kind: 'me' }];
  while (seats.length < Math.max(2, game.min_seats)) seats.push(other);
  await withErrorToast(() => openTable(game, seats, how === 'bots'));
}

async function openTable(game: GameInfo, seats: SeatWish[], start: boolean, name?: string): Promise<TableInfo> {
  // Code of the table page is fetched while the server works. If that fails, the table page tries again and reports it.
  const prefetch = [loadBoard(game.name), import('../pages/Table.svelte')];
  Promise.all(prefetch).catch(() => undefined);
  const known = name || me.chosenName;
  const table = await createTable({ game: game.name, seats, start, ...(known ? { name: known } : {}) });
  const alone = table.seats.filter((seat) => seat.kind !== 'bot').length === 1;
  if (alone) guideOffer.offerAt(table.id, game.name);
  goToTable(table);
  return table;
}
