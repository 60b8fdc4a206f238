/** Small things that this browser remembers. A browser that keeps nothing still plays. */

export function recall<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // It is forgotten when the page is closed.
  }
}

/** What was remembered as a list of texts, whatever a browser has made of it since. */
export function recallTexts(key: string): string[] {
  const found = recall<unknown>(key, []);
  return Array.isArray(found) ? found.filter((each): each is string => typeof each === 'string') : [];
}
