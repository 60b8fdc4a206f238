/** Tables that are kept in this browser may be damaged, or of another version of the page: lists leave such ones out. */
import type { TableInfo } from './api/types';

const STATES: readonly unknown[] = ['open', 'playing', 'finished'];

/** Whether this has all that lists show of a table. */
export function isTableInfo(value: unknown): value is TableInfo {
  const given = value as Partial<TableInfo> | null | undefined;
  return (
    typeof given?.id === 'string' &&
    typeof given.title === 'string' &&
    typeof given.created === 'number' &&
    STATES.includes(given.state) &&
    typeof given.clock === 'object' &&
    Array.isArray(given.waiting) &&
    Array.isArray(given.scores) &&
    Array.isArray(given.seats) &&
    given.seats.every((seat: Partial<TableInfo['seats'][number]> | null) => typeof seat?.name === 'string')
  );
}
