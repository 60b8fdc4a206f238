/** Games that I have put away: they go on, but the shelf shows them only when asked. Kept in this browser. */
import { recallTexts, remember } from './kept';

const KEY = 'wellies.away';
const MOST = 300;

class Away {
  #ids: readonly string[] = $state.raw(recallTexts(KEY));

  has(id: string): boolean {
    return this.#ids.includes(id);
  }

  put(id: string): void {
    this.#set([...this.#ids.filter((other) => other !== id), id].slice(-MOST));
  }

  back(id: string): void {
    this.#set(this.#ids.filter((other) => other !== id));
  }

  #set(ids: readonly string[]): void {
    this.#ids = ids;
    remember(KEY, ids);
  }
}

export const away = new Away();
