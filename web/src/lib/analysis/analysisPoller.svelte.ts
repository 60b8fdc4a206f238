/** The analysis of one game, polled until the server has finished it. */
import { api } from '../api/http';
import type { Analysis } from '../api/types';
import { withErrorToast } from '../toasts.svelte';

const POLL_MS = 700;

export class AnalysisPoller {
  analysis: Analysis | null = $state.raw(null);
  #timer = 0;
  #closed = false;

  constructor(
    readonly id: string,
    readonly invite: string | null,
  ) {}

  get busy(): boolean {
    return this.analysis?.state === 'waiting' || this.analysis?.state === 'thinking';
  }

  /** Asks the server to analyse the game; a finished analysis is returned at once. */
  async request(): Promise<void> {
    const analysis = await withErrorToast(() => api.analyse(this.id, this.invite));
    if (analysis) this.#update(analysis);
  }

  /** Reads how far the analysis is, if anybody has asked for one. */
  async refresh(): Promise<void> {
    const analysis = await api.analysis(this.id, this.invite).catch(() => null);
    if (analysis) this.#update(analysis);
    else if (this.busy) this.#schedule();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #update(analysis: Analysis): void {
    if (this.#closed) return;
    this.analysis = analysis;
    if (this.busy) this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = window.setTimeout(() => void this.refresh(), POLL_MS);
  }
}
