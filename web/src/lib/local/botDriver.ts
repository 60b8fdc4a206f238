/**
 * Sends work to the worker of the bots. It is started when it is first needed. If it dies, what waited for it fails, and the
 * next work starts it again: Python asks several times.
 */
import type { EngineSource } from './engineDownload';
import { newName, watch } from './lifeline';
import type { BotWork, FromBots, ToBots } from './messages';
import type { Loaded } from './python';

interface Waiting {
  kind: BotWork;
  task: string;
  resolve: (result: string) => void;
  reject: (error: Error) => void;
}

const GONE = 'The bots stopped working.';

export class BotDriver {
  #source: EngineSource;
  #loaded: Loaded;
  #worker: Worker | null = null;
  #ready = false;
  #stopWatching = () => {};
  #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(source: EngineSource, loaded: Loaded) {
    this.#source = source;
    this.#loaded = loaded;
  }

  /** Starts the worker, so that the first move does not wait for it. */
  start(): void {
    if (this.#worker) return;
    const worker = new Worker(new URL('./botWorker.ts', import.meta.url), { type: 'module', name: 'wellies-bots' });
    const lifeline = newName();
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromBots>) => {
      if (data.type === 'alive') this.#stopWatching = watch(lifeline, () => this.#onDeath(GONE));
      else this.#onMessage(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#onDeath(event.message || GONE);
    };
    this.#tell({ type: 'start', source: this.#source, lifeline, loaded: this.#loaded });
  }

  ask(kind: BotWork, task: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { kind, task, resolve, reject });
      this.start();
      if (this.#ready) this.#send(id);
    });
  }

  #tell(message: ToBots): void {
    this.#worker?.postMessage(message);
  }

  #send(id: number): void {
    const work = this.#waiting.get(id);
    if (work) this.#tell({ type: work.kind, id, task: work.task });
  }

  #onMessage(message: Exclude<FromBots, { type: 'alive' }>): void {
    if (message.type === 'ready') {
      this.#ready = true;
      for (const id of this.#waiting.keys()) this.#send(id);
    } else if (message.type === 'done') {
      this.#waiting.get(message.id)?.resolve(message.result);
      this.#waiting.delete(message.id);
    } else this.#onDeath(message.message);
  }

  #onDeath(why: string): void {
    this.#stopWatching();
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = false;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const work of lost) work.reject(new Error(why));
  }
}
