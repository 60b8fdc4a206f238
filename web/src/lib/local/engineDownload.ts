/**
 * Fetches the engine once and keeps it in the browser's Cache Storage. The workers do it, never the page's
 * own thread. The service worker serves the same cache, so that scripts of the engine can be imported without a network.
 */
import type { Engine } from '../../../scripts/engine';
import { ENGINE_CACHE } from '../engineCache';

export interface Progress {
  /** Bytes, after decompression. */
  done: number;
  total: number;
}

/** Where the engine is: what it consists of, and the address of the page's own folder. */
export interface EngineSource {
  engine: Engine;
  root: string;
}

const INCOMPLETE = 'The games could not be downloaded. Check your connection, then try again.';

/** The cache; null where the browser has none, as on pages that are not served over TLS. */
async function openCache(): Promise<Cache | null> {
  try {
    return 'caches' in self ? await caches.open(ENGINE_CACHE) : null;
  } catch {
    return null;
  }
}

/** Whether the engine is here already, so that games start without a network. */
export async function isDownloaded({ engine, root }: EngineSource): Promise<boolean> {
  const kept = new Set((await (await openCache())?.keys())?.map((request) => request.url));
  return engine.files.every(({ path }) => kept.has(new URL(path, root).href));
}

/** Deletes the engine. The next game on this device downloads it again. */
export const deleteEngine = (): Promise<boolean> => caches.delete(ENGINE_CACHE);

/** Deletes what was damaged after it was kept, so that it is fetched again. False if nothing was. */
export async function dropDamaged({ engine, root }: EngineSource): Promise<boolean> {
  const cache = await openCache();
  if (!cache || !self.crypto?.subtle) return false;
  const dropped = await Promise.all(
    engine.files.map(async ({ path, sha256 }) => {
      const address = new URL(path, root).href;
      const kept = await cache.match(address).then((answer) => answer?.arrayBuffer());
      if (!kept) return false;
      const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', kept));
      if (Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256) return false;
      return cache.delete(address);
    }),
  );
  return dropped.includes(true);
}

/** All files of the engine by address, from the cache where they are there. */
export async function downloadEngine(
  { engine, root }: EngineSource,
  onProgress: (progress: Progress) => void,
): Promise<Map<string, Blob>> {
  const cache = await openCache();
  const total = engine.files.reduce((sum, file) => sum + file.bytes, 0);
  let done = 0;
  const count = (bytes: number) => onProgress({ done: (done += bytes), total });
  const found = await Promise.all(
    engine.files.map(async ({ path, bytes }) => {
      const address = new URL(path, root).href;
      const known = await cache?.match(address);
      const stored = await known?.blob();
      if (stored?.size === bytes) {
        count(bytes);
        return [address, stored] as const;
      }
      const fetched = await download(address, bytes, count);
      // A full disk is no reason not to play: the file is fetched again next time.
      await cache?.put(address, new Response(fetched)).catch(() => undefined);
      return [address, fetched] as const;
    }),
  );
  const current = new Map(found);
  for (const old of (await cache?.keys()) ?? []) if (!current.has(old.url)) await cache?.delete(old);
  return current;
}

async function download(address: string, bytes: number, count: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let type = '';
  try {
    const answer = await fetch(address);
    if (!answer.ok || !answer.body) throw new Error(`${answer.status}`);
    type = answer.headers.get('content-type') ?? '';
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.byteLength;
      count(value.byteLength);
    }
  } catch {
    throw new Error(INCOMPLETE);
  }
  if (size !== bytes) throw new Error(INCOMPLETE);
  return new Blob(parts, { type });
}
