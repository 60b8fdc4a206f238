/** The guide at one table: what it says now, and what leads on. */
import type { Entry } from '../api/types';
import { follow, keepProgress, loadGuide, progressOf, type Guide, type GuideStep, type Progress } from './guide';

export class Guidance {
  readonly #table: string;
  #guide: Guide | null = $state.raw(null);
  #progress: Progress | null = $state.raw(null);

  constructor(table: string, game: string) {
    this.#table = table;
    this.#progress = progressOf(table);
    if (this.#progress) void loadGuide(game).then((guide) => (this.#guide = guide));
  }

  get count(): number {
    return this.#guide?.steps.length ?? 0;
  }
  get number(): number {
    return (this.#progress?.step ?? 0) + 1;
  }
  get remark(): string {
    return this.#progress?.remark ?? '';
  }
  /** Null: this table is not guided, or the guide is done. */
  get step(): GuideStep | null {
    return this.#progress ? (this.#guide?.steps[this.#progress.step] ?? null) : null;
  }

  hear(entries: readonly Entry[], seat: number | null): void {
    if (this.#guide && this.#progress && seat !== null)
      this.#set(follow(this.#guide.steps, this.#progress, entries, seat));
  }
  next(): void {
    if (this.#progress) this.#set({ step: this.#progress.step + 1, remark: '' });
  }
  stop(): void {
    this.#set(null);
  }

  #set(progress: Progress | null): void {
    this.#progress = progress && progress.step < this.count ? progress : null;
    keepProgress(this.#table, this.#progress);
  }
}
