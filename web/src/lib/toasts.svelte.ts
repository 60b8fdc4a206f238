import { capital } from './words';

/** Short messages that come and go by themselves. */
export interface Toast {
  id: number;
  text: string;
  kind: 'note' | 'trouble';
}

class Toasts {
  list: Toast[] = $state([]);
  /** Where they appear at a table: over the lower end of what is so wide, so far above the lower edge; null: at the lower end of the page. */
  room: { width: number; bottom: number } | null = $state.raw(null);
  #next = 1;

  say(words: string, kind: Toast['kind'] = 'note', seconds = 6): void {
    const text = capital(words);
    if (this.list.some((toast) => toast.text === text)) return;
    const id = this.#next++;
    this.list = [...this.list.slice(-2), { id, text, kind }];
    setTimeout(() => this.drop(id), seconds * 1000);
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();

/** Run something that talks to the server; what goes wrong is said. */
export async function trying<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    toasts.say(error instanceof Error ? error.message : String(error), 'trouble');
    return null;
  }
}
