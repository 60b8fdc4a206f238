/** The chairs of a table that waits for players. */
import type { GameInfo, TableInfo } from '../api/types';

/** Whether its host may add a chair, and take one away. A game that goes on from another one has the chairs of that. */
export function chairChanges(
  table: Pick<TableInfo, 'seats' | 'goes_on'> | null,
  game: Pick<GameInfo, 'min_seats' | 'max_seats'> | null,
): { more: boolean; fewer: boolean } {
  if (!table || !game || table.goes_on) return { more: false, fewer: false };
  const chairs = table.seats.length;
  return { more: chairs < game.max_seats, fewer: chairs > game.min_seats };
}
