/**
 * How one notices that a worker is gone. A browser may stop a worker without a word, when memory is short for example. So the
 * worker holds a lock for as long as it lives, and whoever needs it waits for that lock. Pages that are not served over TLS
 * have no locks: they notice only what the worker itself reports.
 */

/** In the worker: holds the lock from now on. */
export function hold(name: string): Promise<void> {
  if (!navigator.locks) return Promise.resolve();
  return new Promise((held) => void navigator.locks.request(name, () => (held(), new Promise(() => undefined))));
}

/** Calls `onEnd` when the holder of the lock is gone. Returns what ends the watch. Call it when the lock is held. */
export function watch(name: string, onEnd: () => void): () => void {
  const stop = new AbortController();
  navigator.locks?.request(name, { signal: stop.signal }, onEnd).catch(() => undefined);
  return () => stop.abort();
}

let count = 0;

/** A name for a lock that nobody else has. */
export const newName = (): string => `wellies-${crypto.randomUUID?.() ?? Math.random()}-${(count += 1)}`;
