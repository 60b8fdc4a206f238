/** The paths, methods and query fields of http.ts are not typed: this test holds them against the server's OpenAPI document. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from './http';

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: unknown;
}
const openapi = JSON.parse(readFileSync(new URL('../../../schemas/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const seats = [{ kind: 'me' as const }];
const page = { from: 1, to: 2, seat: 0, invite: 'key' };

/** Every request of the page, with all its optional arguments. */
const REQUESTS: Record<keyof typeof api, () => Promise<unknown>> = {
  games: () => api.games(),
  game: () => api.game('guppies'),
  bots: () => api.bots(),
  puzzles: () => api.puzzles(),
  puzzle: () => api.puzzle('guppies', '2026-11-18'),
  tryPuzzle: () => api.tryPuzzle({ game: 'guppies', date: '2026-11-18' }, 'a0@1,0'),
  previewPuzzleMove: () => api.previewPuzzleMove({ game: 'guppies', date: '2026-11-18' }, 'a0@1,0'),
  whyPuzzleMove: () => api.whyPuzzleMove({ game: 'guppies', date: '2026-11-18' }, 'a0@1,0'),
  me: () => api.me(),
  becomeGuest: () => api.becomeGuest('Ann'),
  rename: () => api.rename('Ann'),
  setPassword: () => api.setPassword('new', 'old'),
  login: () => api.login('Ann', 'secret'),
  logout: () => api.logout(true),
  preferences: () => api.preferences(),
  setPreferences: () => api.setPreferences({ sound: { value: false, age: 0 } }),
  avoided: () => api.avoided(),
  avoid: () => api.avoid({ table: 't', person: 'somebody', kind: 'mute', invite: null }),
  stopAvoiding: () => api.stopAvoiding('somebody'),
  tables: () => api.tables({ mine: true, state: 'open', game: 'guppies', limit: 1, before: 2, player: 'Ann' }),
  table: () => api.table('t', 'key'),
  import: () => api.import('text', 'server'),
  create: () => api.create({ game: 'guppies', seats, start: true }, 'server'),
  join: () => api.join('t', 0, 'key'),
  leave: () => api.leave('t', 0),
  change: () => api.change('t', { private: true }),
  seat: () => api.seat('t', 0, 'bot', 'storm'),
  addChair: () => api.addChair('t'),
  removeChair: () => api.removeChair('t', 0),
  nameSeat: () => api.nameSeat('t', 0, 'Ann'),
  start: () => api.start('t'),
  handover: () => api.handover('t', 0, 'storm'),
  takeback: () => api.takeback('t', 0),
  resign: () => api.resign('t', 0),
  rematch: () => api.rematch('t'),
  ratingsOf: () => api.ratingsOf('t', 'key'),
  profile: () => api.profile(),
  person: () => api.person('p'),
  history: () =>
    api.history({ game: 'g', opponent: 'Ann', result: 'won', rated: 'true', since: 1, until: 2, after: '1.t' }),
  statistics: () => api.statistics('g'),
  myRatings: () => api.myRatings('g'),
  leaderboard: () => api.leaderboard('g', 50),
  deleteMe: () => api.deleteMe('secret'),
  record: () => api.record('t', 'key'),
  analysis: () => api.analysis('t', 'key'),
  analyse: () => api.analyse('t', 'key'),
  verify: () => api.verify('t'),
  log: () => api.log('t', { seat: 0, invite: 'key' }),
  replay: () => api.replay('t', page),
};

describe('every request of the page', () => {
  let sent: { method: string; url: URL; body: boolean }[] = [];
  beforeEach(() => {
    sent = [];
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      sent.push({ method: init.method ?? 'GET', url: new URL(path, 'http://server'), body: init.body !== undefined });
      return Promise.resolve(new Response('{}'));
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it.each(Object.entries(REQUESTS))('is documented by the server: %s', async (_, request) => {
    await request().catch(() => undefined);
    expect(sent).toHaveLength(1);
    for (const { method, url, body } of sent) {
      const matches = (path: string) =>
        new RegExp(`^${path.replace(/\{[^}]*\}/g, '[^/]+')}$`).test(url.pathname) &&
        method.toLowerCase() in (openapi.paths[path] ?? {});
      const path = Object.keys(openapi.paths).find(matches);
      expect(path, `${method} ${url.pathname}`).toBeDefined();
      const operation = openapi.paths[path ?? '']?.[method.toLowerCase()];
      const known = (operation?.parameters ?? []).filter((each) => each.in === 'query').map((each) => each.name);
      for (const name of url.searchParams.keys()) expect(known).toContain(name);
      if (body) expect(operation?.requestBody).toBeDefined();
    }
  });
});
