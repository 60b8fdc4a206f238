/** From a box on the shelf to a table in one request, and the names that people at this device had last time. */
import { api } from './api/http';
import type { GameInfo, SeatWish, TableInfo } from './api/types';
import { firsts } from './firsts';
import { recallTexts, remember } from './kept';
import { tableHandoff } from './tableHandoff';
import { loadBoard } from '../games/registry';
import { me } from './person.svelte';
import { router } from './router.svelte';
import { settings } from './settings.svelte';
import { trying } from './toasts.svelte';

const NAMES = 'wellies.names';

/** Who plays at this device: as many as the game takes, with the names of last time. */
export function lastNames(game: GameInfo): string[] {
  const names = recallTexts(NAMES);
  if (me.chosenName && !names.includes(me.chosenName)) names[0] = me.chosenName;
  const count = Math.min(Math.max(2, game.min_seats, names.length), game.max_seats);
  return Array.from({ length: count }, (_, i) => names[i] ?? '');
}

export const placeholderName = (seat: number): string => `Player ${seat + 1}`;

/** A game on one device; who has no name is called by number. */
export function passTable(game: GameInfo, names: readonly string[]): Promise<TableInfo> {
  remember(
    NAMES,
    names.map((name) => name.trim()),
  );
  const seats: SeatWish[] = names.map((name, i) => ({ kind: 'me', name: name.trim() || placeholderName(i) }));
  return open(game, seats, true, names[0]?.trim());
}

/** A game against bots, or a table with chairs for friends. */
export async function quickTable(game: GameInfo, how: 'bots' | 'friends'): Promise<void> {
  const other: SeatWish = how === 'bots' ? { kind: 'bot', level: settings.likes.level } : { kind: 'open' };
  const seats: SeatWish[] = [{ kind: 'me' }];
  while (seats.length < Math.max(2, game.min_seats)) seats.push(other);
  await trying(() => open(game, seats, how === 'bots'));
}

async function open(game: GameInfo, seats: SeatWish[], start: boolean, name?: string): Promise<TableInfo> {
  // Fetched ahead. What cannot be fetched now is asked for again at the table, and said there.
  const ahead = [loadBoard(game.name), import('../pages/Table.svelte')];
  Promise.all(ahead).catch(() => undefined);
  const table = await api.create({ game: game.name, seats, start, ...(name ? { name } : {}) });
  const alone = table.seats.filter((seat) => seat.kind !== 'bot').length === 1;
  if (alone) firsts.begin(table.id, game.name);
  tableHandoff.put(table);
  me.refresh();
  router.go(`/t/${table.id}`);
  return table;
}
