import { describe, expect, it } from 'vitest';
import { type Address, hashPaths, historyPaths, type Paths } from './paths';

/** A link or a location, as the browser splits it. */
function at(address: string, base = 'https://games.example/'): Address {
  const { origin, pathname, search, hash } = new URL(address, base);
  return { origin, pathname, search, hash };
}
const SITE = 'https://host.example/some/folder/index.html';

describe.each([
  ['on a server', historyPaths, 'https://games.example/'],
  ['on a static host', hashPaths, SITE],
] as [string, Paths, string][])('paths %s', (_, paths, base) => {
  it.each([
    ['/', { path: '/', search: '', anchor: '' }],
    ['/t/abc/replay?at=3&better=4', { path: '/t/abc/replay', search: '?at=3&better=4', anchor: '' }],
    ['/learn/marram#the-end', { path: '/learn/marram', search: '', anchor: 'the-end' }],
    ['/t/a%20b', { path: '/t/a%20b', search: '', anchor: '' }],
  ])('read %s as it was written', (to, place) => {
    expect(paths.read(at(paths.href(to), base))).toEqual(place);
  });

  it('follow links to our pages and leave all others to the browser', () => {
    const here = at(paths.href('/games'), base);
    expect(paths.follow(at(paths.href('/t/abc?at=3'), base), here)).toBe('/t/abc?at=3');
    expect(paths.follow(at(paths.href('/learn/marram#the-end'), base), here)).toBe('/learn/marram#the-end');
    expect(paths.follow(at('https://elsewhere.example/games'), here)).toBeNull();
  });
});

describe('paths on a server', () => {
  it('leave headings of the same page and the interface to the browser', () => {
    const here = at('/learn/marram');
    expect(historyPaths.follow(at('#the-end', 'https://games.example/learn/marram'), here)).toBeNull();
    expect(historyPaths.follow(at('/api/v1/schema/openapi.json'), here)).toBeNull();
  });
});

describe('paths on a static host', () => {
  it('begin at the shelf, whatever else is in the address', () => {
    expect(hashPaths.read(at(SITE)).path).toBe('/');
    expect(hashPaths.read(at(`${SITE}?from=home#nothing`)).path).toBe('/');
  });

  it('keep the page when a link leads to one of its headings', () => {
    const here = `${SITE}#/learn/marram?x=1`;
    expect(hashPaths.follow(at('#the-end', here), at(here))).toBe('/learn/marram?x=1#the-end');
  });

  it('leave other files of the host to the browser', () => {
    expect(hashPaths.follow(at('../other.html#/games', SITE), at(SITE))).toBeNull();
    expect(hashPaths.follow(at('index.html', SITE), at(SITE))).toBeNull();
  });
});
