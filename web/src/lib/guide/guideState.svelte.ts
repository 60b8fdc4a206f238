/** The state of the guide at one table: its current step and progress. */
import type { Entry } from '../api/types';
import {
  ANOTHER_WAY,
  advance,
  saveProgress,
  loadGuide,
  skipAdvised,
  progressOf,
  type Guide,
  type GuideStep,
  type Progress,
} from './guide';

export class GuideState {
  readonly game: string;
  readonly #table: string;
  #guide: Guide | null = $state.raw(null);
  #progress: Progress | null = $state.raw(null);
  /** The version of the table that is shown. */
  version: () => number = () => 0;

  constructor(table: string, game: string) {
    this.#table = table;
    this.game = game;
    this.#progress = progressOf(table);
    if (!this.#progress) return;
    loadGuide(game).then(
      (guide) => {
        if (guide) this.#guide = guide;
        else this.stop();
      },
      () => this.stop(),
    );
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
  /** The section of the rules to read after the guide, by its heading. */
  get read(): string {
    return this.#guide?.read ?? '';
  }
  /** Whether moves of others are held back until the person presses "Next". */
  get holding(): boolean {
    return this.step ? this.step.until === 'next' && this.number < this.count : this.#progress?.held !== undefined;
  }
  /** Whether the current step advises this move. */
  advises(move: string): boolean {
    const expect = this.step?.expect;
    return expect !== undefined && new RegExp(expect).test(move);
  }

  onEntries(entries: readonly Entry[], seat: number | null): void {
    if (!this.#guide || !this.#progress || seat === null) return;
    const now = advance(this.#guide.steps, this.#progress, entries, seat, this.#guide.details);
    const back = entries.some((entry) => entry.kind === 'undo') && now.step < this.#progress.step;
    const off = now.remark === ANOTHER_WAY || (!back && (this.#progress.off ?? false));
    this.#set({ ...now, off });
  }
  next(): void {
    if (this.#progress) this.#set({ ...this.#progress, step: this.#progress.step + 1, remark: '' });
  }
  stop(): void {
    this.#set(null);
  }

  #set(progress: Progress | null): void {
    const step = progress && skipAdvised(this.#guide?.steps ?? [], progress.step, progress.off ?? false);
    if (progress === null || step === null || step >= this.count) this.#progress = null;
    else {
      const { remark, off, moves } = progress;
      this.#progress = { step, remark, ...(moves && { moves }), ...(off && { off }) };
      if (this.holding) this.#progress = { ...this.#progress, held: this.version() };
    }
    saveProgress(this.#table, this.#progress);
  }
}
