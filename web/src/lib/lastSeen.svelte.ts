/**
 * The last log entry that a person has seen at a table. It is stored in this browser, so that the log can mark what
 * happened while another tab was open, the connection was lost, or the page was closed.
 */
import { readStoredRecord, writeStored } from './storage';

const KEY = 'wellies.seen';
const MAX_TABLES = 60;

const readAll = () => readStoredRecord<number>(KEY);

export class LastSeen {
  /** The last entry that was seen before some that were missed; null: nothing was missed. */
  missedSince: number | null = $state(null);
  #seen: number | null;
  #started = false;

  constructor(readonly table: string) {
    this.#seen = readAll()[table] ?? null;
  }

  /** Call it when the page has its first entries; further calls do nothing. `visible`: the person sees the page. */
  start(newest: number, visible: boolean): void {
    if (this.#started) return;
    this.#started = true;
    if (this.#seen !== null && this.#seen < newest) this.missedSince = this.#seen;
    if (visible) this.markSeen(newest);
  }

  /** Call it when entries arrive. `acted`: some of them are my own moves, so I have seen what came before. */
  onEntries(newest: number, visible: boolean, acted: boolean): void {
    if (acted) this.missedSince = null;
    else if (!visible) this.missedSince = this.#seen ?? this.missedSince;
    if (visible || acted) this.markSeen(newest);
  }

  markSeen(newest: number): void {
    if (newest <= (this.#seen ?? -1)) return;
    this.#seen = newest;
    const { [this.table]: _, ...others } = readAll();
    const kept = Object.entries(others).slice(1 - MAX_TABLES);
    writeStored(KEY, { ...Object.fromEntries(kept), [this.table]: newest });
  }
}
