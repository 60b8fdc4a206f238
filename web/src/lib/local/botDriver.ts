/**
 * Sends work to the worker of the bots. It is started when it is first needed. If it dies, what waited for it fails, and the
 * next work starts it again: Python asks several times.
 */
import type { EngineSource } from './engineDownload';
import type { BotWork, FromBots, ToBots } from './messages';

interface Waiting {
  kind: BotWork;
  task: string;
  resolve: (result: string) => void;
  reject: (error: Error) => void;
}

export class BotDriver {
  #source: EngineSource;
  #worker: Worker | null = null;
  #ready = false;
  #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(source: EngineSource) {
    this.#source = source;
  }

  /** Starts the worker, so that the first move does not wait for it. */
  start(): void {
    if (this.#worker) return;
    const worker = new Worker(new URL('./botWorker.ts', import.meta.url), { type: 'module', name: 'wellies-bots' });
    this.#worker = worker;
    this.#ready = false;
    worker.onmessage = ({ data }: MessageEvent<FromBots>) => this.#onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#onDeath(event.message || 'The bots stopped working.');
    };
    this.#tell({ type: 'start', source: this.#source });
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

  #onMessage(message: FromBots): void {
    if (message.type === 'ready') {
      this.#ready = true;
      for (const id of this.#waiting.keys()) this.#send(id);
    } else if (message.type === 'done') {
      this.#waiting.get(message.id)?.resolve(message.result);
      this.#waiting.delete(message.id);
    } else if (message.id === null) this.#onDeath(message.message);
    else {
      this.#waiting.get(message.id)?.reject(new Error(message.message));
      this.#waiting.delete(message.id);
    }
  }

  #onDeath(why: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = false;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const work of lost) work.reject(new Error(why));
  }
}
