/** My games that I have put away: they go on, but the shelf hides them until I ask. Stored in this browser. */
import { readStoredTexts, writeStored } from './storage';

const KEY = 'wellies.away';
const MAX_STORED = 300;

class HiddenTables {
  #ids: readonly string[] = $state.raw(readStoredTexts(KEY));

  has(id: string): boolean {
    return this.#ids.includes(id);
  }

  hide(id: string): void {
    this.#set([...this.#ids.filter((other) => other !== id), id].slice(-MAX_STORED));
  }

  unhide(id: string): void {
    this.#set(this.#ids.filter((other) => other !== id));
  }

  #set(ids: readonly string[]): void {
    this.#ids = ids;
    writeStored(KEY, ids);
  }
}

export const hiddenTables = new HiddenTables();
