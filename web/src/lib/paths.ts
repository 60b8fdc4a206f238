/**
 * Where our pages are in the browser's address. A server answers every path with the page, so there the address is the
 * path itself: `/t/abc?at=3`. A static host knows one file only, in any folder, so there the path is behind its hash:
 * `folder/#/t/abc?at=3`. All links are made with `href`.
 */

/** Whether this is the page for static hosts (`make site`), which has no server. */
export const IS_SITE = import.meta.env.MODE === 'site';

/** A page of ours: its path, its query, and the heading on it, or ''. */
export interface Place {
  path: string;
  search: string;
  anchor: string;
}

/** The parts of an address that are read: of the browser's location, or of a link. */
export type Address = Pick<Location, 'origin' | 'pathname' | 'search' | 'hash'>;

export interface Paths {
  /** What a link to a page of ours refers to. */
  href(to: string): string;
  read(address: Address): Place;
  /** The page of ours that a link leads to; null if the browser is to follow it by itself. */
  follow(link: Address, here: Address): string | null;
}

export const historyPaths: Paths = {
  href: (to) => to,
  read: ({ pathname, search, hash }) => ({ path: pathname, search, anchor: hash.slice(1) }),
  follow(link, here) {
    if (link.origin !== here.origin || link.pathname.startsWith('/api/')) return null;
    if (link.hash && link.pathname === here.pathname) return null;
    return link.pathname + link.search + link.hash;
  },
};

export const hashPaths: Paths = {
  href: (to) => `#${to}`,
  read({ hash }) {
    if (!hash.startsWith('#/')) return { path: '/', search: '', anchor: '' };
    const inside = new URL(`http://page${hash.slice(1)}`);
    return { path: inside.pathname, search: inside.search, anchor: inside.hash.slice(1) };
  },
  follow(link, here) {
    if (link.origin !== here.origin || link.pathname !== here.pathname || !link.hash) return null;
    if (link.hash.startsWith('#/')) return link.hash.slice(1);
    const { path, search } = this.read(here);
    return path + search + link.hash;
  },
};

export const paths: Paths = IS_SITE ? hashPaths : historyPaths;

/** What a link to a page of ours refers to: `<a href={href('/games')}>`. */
export const href = (to: string): string => paths.href(to);

/** The whole address of a page of ours, to be sent to others. */
export const fullAddress = (to: string): string => new URL(href(to), location.href).href;
