/** One game's analysis, asked for again until it is done. */
import { api } from '../api/http';
import type { Analysis } from '../api/types';
import { trying } from '../toasts.svelte';

const AGAIN = 700;

export class AnalysisWatch {
  told: Analysis | null = $state.raw(null);
  #timer = 0;
  #closed = false;

  constructor(
    readonly id: string,
    readonly invite: string | null,
  ) {}

  get busy(): boolean {
    return this.told?.state === 'waiting' || this.told?.state === 'thinking';
  }

  /** Have it thought about; what is there already comes at once. */
  async begin(): Promise<void> {
    const told = await trying(() => api.analyse(this.id, this.invite));
    if (told) this.#take(told);
  }

  /** See whether somebody has asked before. */
  async look(): Promise<void> {
    const told = await api.analysis(this.id, this.invite).catch(() => null);
    if (told) this.#take(told);
    else if (this.busy) this.#later();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #take(told: Analysis): void {
    if (this.#closed) return;
    this.told = told;
    if (this.busy) this.#later();
  }

  #later(): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = window.setTimeout(() => void this.look(), AGAIN);
  }
}
