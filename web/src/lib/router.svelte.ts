/** A router on the browser's history. The address alone decides what is shown, so every page can be reloaded or shared. */
import { IS_SITE, paths } from './paths';

export type Route =
  | { page: 'shelf' }
  | { page: 'new'; game: string }
  | { page: 'table'; id: string }
  | { page: 'replay'; id: string }
  | { page: 'learn'; game: string }
  | { page: 'puzzles' }
  | { page: 'puzzle'; game: string; date: string | null }
  | { page: 'games' }
  | { page: 'settings' }
  | { page: 'people' }
  | { page: 'friend'; code: string }
  | { page: 'alertLink'; what: 'confirm' | 'stop'; token: string }
  | { page: 'profile' }
  | { page: 'person'; id: string }
  | { page: 'ratings'; game: string }
  | { page: 'notFound' };

export function parse(path: string): Route {
  const parts = path.split('/').filter(Boolean).map(decode);
  const [first, second, third] = parts;
  if (parts.length === 0) return { page: 'shelf' };
  if (parts.length === 1) {
    if (first === 'settings' || first === 'me') return { page: 'settings' };
    if (first === 'games') return { page: 'games' };
    if (first === 'people') return { page: 'people' };
    if (!IS_SITE && first === 'profile') return { page: 'profile' };
    if (!IS_SITE && first === 'leaderboards') return { page: 'ratings', game: '' };
    if (first === 'puzzle') return { page: 'puzzles' };
  }
  if (parts.length === 2 && second) {
    if (!IS_SITE && first === 'people') return { page: 'person', id: second };
    if (!IS_SITE && first === 'leaderboards') return { page: 'ratings', game: second };
    if (first === 'new') return { page: 'new', game: second };
    if (first === 'learn') return { page: 'learn', game: second };
    if (first === 't') return { page: 'table', id: second };
    if (first === 'friend') return { page: 'friend', code: second };
    if (first === 'puzzle') return { page: 'puzzle', game: second, date: null };
  }
  if (parts.length === 3 && first === 'alerts' && third && (second === 'confirm' || second === 'stop'))
    return { page: 'alertLink', what: second, token: third };
  if (parts.length === 3 && first === 't' && second && third === 'replay') return { page: 'replay', id: second };
  if (parts.length === 3 && first === 'puzzle' && second && third) return { page: 'puzzle', game: second, date: third };
  return { page: 'notFound' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Stops waiting for the heading of the page that is being opened. */
let waiting: AbortController | null = null;

/** Moves the focus to the heading of the new page as soon as it has one, unless the person presses something before. */
function focusHeading(): void {
  waiting?.abort();
  const mine = new AbortController();
  waiting = mine;
  const old = document.querySelector('main h1');
  const watch = new MutationObserver(() => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading || heading === old) return;
    mine.abort();
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
  watch.observe(document.body, { childList: true, subtree: true });
  mine.signal.addEventListener('abort', () => watch.disconnect());
  for (const event of ['keydown', 'pointerdown'])
    addEventListener(event, () => mine.abort(), { signal: mine.signal, capture: true });
}

class Router {
  path = $state('/');
  search = $state(new URLSearchParams());
  /** The id of the heading that the address names, or ''. */
  anchor = $state('');
  route: Route = $derived(parse(this.path));

  /** Follows the browser's history, and handles clicks on links to our own pages. */
  listen(): void {
    this.#read();
    window.addEventListener('popstate', () => {
      const before = this.path;
      this.#read();
      if (before !== this.path) focusHeading();
    });
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      const link = (event.target as Element | null)?.closest?.('a');
      if (!link?.href || link.target || link.hasAttribute('download')) return;
      const to = paths.follow(link, location);
      if (to === null) return;
      event.preventDefault();
      this.go(to);
    });
  }

  go(to: string, replace = false): void {
    if (replace) history.replaceState(null, '', paths.href(to));
    else history.pushState(null, '', paths.href(to));
    const before = this.path;
    this.#read();
    if (before !== this.path) {
      window.scrollTo(0, 0);
      focusHeading();
    } else this.scrollToAnchor();
  }

  /** Writes another query into the address of the page that is shown, which stays as it is. */
  replaceSearch(search: URLSearchParams): void {
    history.replaceState(null, '', paths.href(`${this.path}?${search}`));
  }

  /** Shows the heading that the address names. A page whose text is loaded later calls it then. */
  scrollToAnchor(): void {
    if (this.anchor) document.getElementById(this.anchor)?.scrollIntoView();
  }

  #read(): void {
    const { path, search, anchor } = paths.read(location);
    this.path = path;
    this.search = new URLSearchParams(search);
    this.anchor = anchor;
  }
}

export const router = new Router();
