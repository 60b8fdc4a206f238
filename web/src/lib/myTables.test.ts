import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TableInfo } from './api/types';
import { me } from './identity.svelte';
import { forgetTables, lastPlayed, myTables } from './myTables';
import { serverState } from './serverState.svelte';

type Given = Partial<TableInfo>;
const table = (id: string, created: number, more: Given = {}): TableInfo =>
  ({
    id,
    created,
    title: 'Guppies',
    state: 'playing',
    seats: [{ name: 'Ann' }],
    clock: {},
    waiting: [],
    scores: [],
    ...more,
  }) as unknown as TableInfo;
const ids = async (about: Parameters<typeof myTables>[0]) => (await myTables(about)).map(({ id }) => id);

describe('my tables of the server', () => {
  /** What the server has; null while it is away. */
  let there: TableInfo[] | null = [];
  beforeEach(() => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    vi.stubGlobal('fetch', (path: string) => {
      if (!there) return Promise.reject(new TypeError('no network'));
      const query = new URL(path, 'http://server').searchParams;
      const state = query.get('state');
      const found = there.filter((each) => !state || each.state === state);
      const tables = found.sort((a, b) => b.created - a.created).slice(0, Number(query.get('limit')));
      return Promise.resolve(new Response(JSON.stringify({ tables })));
    });
    me.person = { id: 'ann', name: 'Ann', account: false };
    serverState.reachable = true;
    there = [table('a', 3), table('b', 2), table('old', 1, { state: 'finished' })];
  });
  afterEach(() => vi.unstubAllGlobals());

  it('stay in the list while it is away, also after the page is opened again', async () => {
    await myTables({ state: 'playing', limit: 50 });
    await myTables({ state: 'finished', limit: 6 });
    there = null;
    expect(await ids({ state: 'playing', limit: 50 })).toEqual(['a', 'b']);
    serverState.reachable = false;
    me.person = null;
    expect(await ids({ state: 'playing', limit: 50 })).toEqual(['a', 'b']);
    expect(await ids({ state: 'finished', limit: 6 })).toEqual(['old']);
    expect(await ids({ limit: 20 })).toEqual(['a', 'b', 'old']);
    expect(await ids({ limit: 20, before: 2 })).toEqual(['old']);
    expect(await ids({ limit: 20, player: 'ben' })).toEqual([]);
  });

  it('go from the list when the server no longer has them', async () => {
    await myTables({ state: 'playing', limit: 50 });
    there = [table('a', 3, { state: 'finished' })];
    await myTables({ state: 'playing', limit: 50 });
    await myTables({ state: 'finished', limit: 6 });
    there = null;
    expect(await ids({ state: 'playing', limit: 50 })).toEqual([]);
    expect(await ids({ limit: 20 })).toEqual(['a']);
  });

  it('are not forgotten because a list is short', async () => {
    await myTables({ limit: 20 });
    await myTables({ limit: 1 });
    await myTables({ limit: 20, player: 'nobody' });
    there = null;
    expect(await ids({ limit: 20 })).toEqual(['a', 'b', 'old']);
  });

  it('are left out where what is kept of them is damaged', async () => {
    await myTables({ limit: 20 });
    const kept = JSON.parse(localStorage.getItem('wellies.serverTables') ?? '') as object[];
    localStorage.setItem('wellies.serverTables', JSON.stringify([null, 5, {}, { ...kept[0], seats: [null] }, kept[1]]));
    there = null;
    expect(await ids({ limit: 20 })).toEqual(['b']);
    localStorage.setItem('wellies.serverTables', '{');
    expect(await ids({ limit: 20 })).toEqual([]);
  });

  it('are forgotten when somebody logs out', async () => {
    await myTables({ limit: 20 });
    forgetTables();
    there = null;
    expect(await ids({ limit: 20 })).toEqual([]);
  });
});

describe('when a table was played last', () => {
  const began = { started: 5 };
  it('is the time of its last move', () => expect(lastPlayed(table('t', 1, { ...began, updated: 9 }))).toBe(9));
  it('is guessed for a table that was stored before that was known', () => {
    const old = (more: Given) => lastPlayed(table('t', 1, { started: null, finished: null, ...more }));
    expect(old({})).toBe(1);
    expect(old(began)).toBe(5);
    expect(old({ ...began, finished: 8 })).toBe(8);
  });
});
