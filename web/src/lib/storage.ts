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

/** A stored list of strings; anything else that is stored there is ignored. */
export function readStoredTexts(key: string): string[] {
  const found = readStored<unknown>(key, []);
  return Array.isArray(found) ? found.filter((each): each is string => typeof each === 'string') : [];
}
