/** JSON values in the browser's local storage. A browser that refuses storage reads the fallback and forgets what is written. */

export function readStored<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the value lasts until the page is closed.
  }
}

/** A value as an object with named fields; anything else, as of a damaged store, is an empty one. */
export const asRecord = <T>(value: unknown): Record<string, T> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, T>) : {};

/** A stored object with named fields. */
export const readStoredRecord = <T>(key: string): Record<string, T> => asRecord(readStored<unknown>(key, null));

/** A stored list of strings; anything else that is stored there is ignored. */
export function readStoredTexts(key: string): string[] {
  const found = readStored<unknown>(key, []);
  return Array.isArray(found) ? found.filter((each): each is string => typeof each === 'string') : [];
}
