/** Short messages that disappear by themselves. */
import { capitalize } from './text';

export interface Toast {
  id: number;
  text: string;
  kind: 'note' | 'error';
}

/** How many toasts are shown at the same time. */
const MAX_SHOWN = 3;
/** How fast people read. */
const LETTERS_A_SECOND = 15;

class Toasts {
  list: Toast[] = $state([]);
  /**
   * Where toasts appear at a table, in pixels: centred over the left `width`, `bottom` above the lower edge of the
   * window. Null: at the lower edge of the page.
   */
  area: { width: number; bottom: number } | null = $state.raw(null);
  #nextId = 1;

  /** Shows a message, unless the same one is shown already, for as long as it takes to read it. */
  show(message: string, kind: Toast['kind'] = 'note', seconds = Math.max(6, message.length / LETTERS_A_SECOND)): void {
    const text = capitalize(message);
    if (this.list.some((toast) => toast.text === text)) return;
    const id = this.#nextId++;
    this.list = [...this.list.slice(1 - MAX_SHOWN), { id, text, kind }];
    setTimeout(() => this.dismiss(id), seconds * 1000);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();

/** Runs a request. An error is shown as a toast, and the result is null. */
export async function withErrorToast<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    toasts.show(error instanceof Error ? error.message : String(error), 'error');
    return null;
  }
}
