/** From a box on the shelf to a table in one request. */
import { api } from './api/http';
import type { GameInfo, SeatWish, TableInfo } from './api/types';
import { known } from './known';
import { loadBoard } from '../games/registry';
import { me } from './person.svelte';
import { router } from './router.svelte';
import { settings } from './settings.svelte';
import { trying } from './toasts.svelte';

export async function quickTable(game: GameInfo, how: 'bots' | 'friends' | 'pass'): Promise<TableInfo | null> {
  const other: SeatWish =
    how === 'bots' ? { kind: 'bot', level: settings.likes.level } : how === 'pass' ? { kind: 'me' } : { kind: 'open' };
  const seats: SeatWish[] = [{ kind: 'me' }];
  while (seats.length < Math.max(2, game.min_seats)) seats.push(other);
  void loadBoard(game.name);
  void import('../pages/Table.svelte');
  const table = await trying(() => api.create({ game: game.name, seats, start: how !== 'friends' }));
  if (table) {
    known.put(table);
    me.refresh();
    router.go(`/t/${table.id}`);
  }
  return table;
}
