/**
 * Whether the server can be reached. Requests say how they went; when one got no answer, this asks the server itself, again
 * and again until it answers. Nobody has to reload: whatever reads `reachable` in an effect goes on by itself.
 */
import { onMount } from 'svelte';
import { IS_SITE } from './paths';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
/** What a proxy answers whose server is away. */
const AWAY = [502, 504];

/** Asks the server whether it is there. */
async function ask(): Promise<boolean> {
  try {
    const answer = await fetch('/health', { cache: 'no-store', credentials: 'omit' });
    return !AWAY.includes(answer.status);
  } catch {
    return false;
  }
}

export class ServerState {
  reachable = $state(!IS_SITE);
  /** What is done when the server is back. */
  #back = new Set<() => void>();
  #asking = false;
  #wait = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly askServer: () => Promise<boolean> = ask) {}

  /** Asks at once when the device says that its network is back, or when the person comes back to the page. */
  listen(): void {
    if (IS_SITE) return;
    addEventListener('online', () => this.#check());
    addEventListener('offline', () => this.#check());
    document.addEventListener('visibilitychange', () => {
      if (!this.reachable && document.visibilityState === 'visible') this.#check();
    });
  }

  /** A request was answered, with this status, or not at all (0). */
  note(status: number): void {
    if (status === 0 || AWAY.includes(status)) this.#check();
    else this.#found();
  }

  #found(): void {
    clearTimeout(this.#timer);
    this.#wait = FIRST_WAIT_MS;
    if (this.reachable) return;
    this.reachable = true;
    for (const work of [...this.#back]) work();
  }

  /** Calls `work` whenever the server is back, until the returned function is called. */
  onBack(work: () => void): () => void {
    this.#back.add(work);
    return () => this.#back.delete(work);
  }

  #check(): void {
    if (this.#asking) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    void this.askServer().then((there) => {
      this.#asking = false;
      if (there) return this.#found();
      this.reachable = false;
      this.#timer = setTimeout(() => this.#check(), this.#wait);
      this.#wait = Math.min(MAX_WAIT_MS, this.#wait * 2);
    });
  }
}

export const serverState = new ServerState();

/** Calls `work` whenever the server is back. For components. */
export function onServerBack(work: () => void): void {
  onMount(() => serverState.onBack(work));
}
