/** What happened at a table while a person was not looking: another tab, a lost connection, or another day. */

const KEY = 'wellies.seen';
const MOST = 60;

function stored(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

export class LastLook {
  /** The last entry that was seen before some that were missed; null: nothing was missed. */
  since: number | null = $state(null);
  #seen: number | null;
  #arrived = false;

  constructor(readonly table: string) {
    this.#seen = stored()[table] ?? null;
  }

  /** What was there when the page came; told once. */
  arrive(newest: number, looking: boolean): void {
    if (this.#arrived) return;
    this.#arrived = true;
    if (this.#seen !== null && this.#seen < newest) this.since = this.#seen;
    if (looking) this.look(newest);
  }

  /** Something new; `acted`: some of it I did myself, so that I know how things stand. */
  heard(newest: number, looking: boolean, acted: boolean): void {
    if (acted) this.since = null;
    else if (!looking) this.since = this.#seen ?? this.since;
    if (looking || acted) this.look(newest);
  }

  /** The person sees all that there is. */
  look(newest: number): void {
    if (newest <= (this.#seen ?? -1)) return;
    this.#seen = newest;
    try {
      const { [this.table]: _, ...others } = stored();
      const kept = Object.entries(others).slice(1 - MOST);
      localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [this.table]: newest }));
    } catch {
      // A browser that keeps nothing forgets where one was.
    }
  }
}
