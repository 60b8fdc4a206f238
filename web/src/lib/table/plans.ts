/** The moves that I have planned, kept in this browser alone: by table and seat. */
import { readStored, writeStored } from '../storage';

const KEY = 'wellies.plans';
/** So many plans are kept; of more, the newest. */
const MOST = 50;

type Stored = Record<string, { move: string; at: number }>;
const keyOf = (table: string, seat: number) => `${table} ${seat}`;

export function readPlan(table: string, seat: number | null): string | null {
  if (seat === null) return null;
  const move = readStored<Stored>(KEY, {})[keyOf(table, seat)]?.move;
  return typeof move === 'string' ? move : null;
}

/** Keeps a plan; null forgets it. */
export function writePlan(table: string, seat: number | null, move: string | null): void {
  if (seat === null) return;
  const { [keyOf(table, seat)]: _, ...others } = readStored<Stored>(KEY, {});
  const all = Object.entries(move === null ? others : { ...others, [keyOf(table, seat)]: { move, at: Date.now() } });
  writeStored(KEY, Object.fromEntries(all.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST)));
}
