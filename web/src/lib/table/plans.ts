/** The moves that I have planned, kept in this browser alone: by table and seat. */
import { readStoredRecord, writeStored } from '../storage';

const KEY = 'wellies.plans';
/** So many plans are kept; of more, the newest. */
const MOST = 50;

interface Plan {
  move: string;
  at: number;
}
const keyOf = (table: string, seat: number) => `${table} ${seat}`;

/** All plans. What is damaged is left out. */
const readAll = (): Record<string, Plan> =>
  Object.fromEntries(
    Object.entries(readStoredRecord<Partial<Plan> | null>(KEY)).filter(
      (each): each is [string, Plan] => typeof each[1]?.move === 'string' && typeof each[1].at === 'number',
    ),
  );

export function readPlan(table: string, seat: number | null): string | null {
  if (seat === null) return null;
  return readAll()[keyOf(table, seat)]?.move ?? null;
}

/** Keeps a plan; null forgets it. */
export function writePlan(table: string, seat: number | null, move: string | null): void {
  if (seat === null) return;
  const { [keyOf(table, seat)]: _, ...others } = readAll();
  const all = Object.entries(move === null ? others : { ...others, [keyOf(table, seat)]: { move, at: Date.now() } });
  writeStored(KEY, Object.fromEntries(all.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST)));
}
