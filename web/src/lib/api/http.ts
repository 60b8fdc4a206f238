/**
 * HTTP requests to the server, or to the tables on this device, which answer in the same way. Every failure is an `ApiError`
 * whose message people can read.
 */
import { whereIs, type Where } from '../local/where';
import { IS_SITE } from '../paths';
import { serverState } from '../serverState.svelte';
import type { PuzzleCalendar } from '../puzzle/puzzles';
import type { Change, Known } from '../preferenceSync';
import type {
  AlertChoices,
  AlertSettings,
  Analysis,
  Avoided,
  BotInfo,
  Entry,
  Friend,
  GameDetail,
  GameInfo,
  Inbox,
  Leaderboard,
  Moment,
  Person,
  PlayedGames,
  Profile,
  PushBrowser,
  Puzzle,
  PuzzlePreview,
  PuzzleVerdict,
  RatingMoment,
  Search,
  SearchWish,
  Statistics,
  TableInfo,
  TableRatings,
  TableWish,
  Vacation,
  Verdict,
  Waiting,
} from './types';

export class ApiError extends Error {
  constructor(
    /** The HTTP status; 0 for an error of the connection or of a socket message. */
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** No answer at all, or that of a proxy whose server is away. */
const UNREACHABLE = [0, 502, 504];

/** Whether a request failed because the server is away. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && UNREACHABLE.includes(error.status) && error.code !== 'engine';

async function askServer(method: string, path: string, body: unknown, keepalive = false): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      keepalive,
    });
  } catch {
    serverState.note(0);
    throw new ApiError(0, 'offline', 'The server cannot be reached. Check your connection.');
  }
  serverState.note(answer.status);
  return answer;
}

async function ask(method: string, path: string, body: unknown, where: Where): Promise<Response> {
  if (where === 'server' && !IS_SITE) return askServer(method, path, body);
  return (await import('../local/localServer')).localRequest(method, path, body);
}

async function send(method: string, path: string, body?: unknown, where: Where = whereIs(path)): Promise<Response> {
  const answer = await ask(method, path, body, where);
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => null)) as {
    code?: string;
    message?: string;
    detail?: string;
  } | null;
  throw new ApiError(
    answer.status,
    problem?.code ?? 'error',
    problem?.message ?? problem?.detail ?? `The server answered ${answer.status}.`,
  );
}

async function json<T>(method: string, path: string, body?: unknown, where?: Where): Promise<T> {
  const answer = await send(method, path, body, where);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

function query(fields: Record<string, string | number | boolean | null | undefined>): string {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return set.length ? `?${new URLSearchParams(set.map(([key, value]) => [key, String(value)]))}` : '';
}

/** What the server says about games and bots; without a server, what the page brings itself. */
async function aboutGames(path: string): Promise<unknown> {
  const fromPage = async () => (await import('../local/catalogue')).lookUp(path);
  if (IS_SITE) {
    const known = await fromPage();
    if (known === undefined) throw new ApiError(404, 'unknown_game', 'There is no such game here.');
    return known;
  }
  try {
    return await json('GET', path);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const known = await fromPage().catch(() => undefined);
    if (known === undefined) throw error;
    cache.delete(path); // the server may know more games, when it is back
    return known;
  }
}

/** Puzzles come from the server; without one, from this device. */
async function aboutPuzzle<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (IS_SITE || !serverState.reachable) return json<T>(method, path, body, 'device');
  try {
    return await json<T>(method, path, body);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    return json<T>(method, path, body, 'device');
  }
}
type PuzzleName = Pick<Puzzle, 'game' | 'date'>;
const puzzlePath = ({ game, date }: { game: string; date: string | null }, what = '') =>
  `/puzzles/${encodeURIComponent(game)}${what}${query({ date })}`;

/** Answers that do not change while the page is open; failed requests are tried again. */
const cache = new Map<string, Promise<unknown>>();
function cached<T>(path: string, read: (answer: never) => T): Promise<T> {
  const known = cache.get(path) ?? aboutGames(path).then((answer) => read(answer as never));
  cache.set(path, known);
  known.catch(() => cache.delete(path));
  return known as Promise<T>;
}
const list =
  <T>(key: string) =>
  (answer: T[] | Record<string, T[]>): T[] =>
    Array.isArray(answer) ? answer : (answer[key] ?? []);

const table = (id: string) => `/tables/${encodeURIComponent(id)}`;

/** Who I am without a server: the name that this device knows. The engine is not needed for that. */
const onDevice = (name: string): Person => ({ id: 'device', name, account: false });

async function meOnDevice(): Promise<Person | null> {
  const { readDeviceName } = await import('../local/database');
  // A browser that keeps nothing knows no name either.
  const name = await readDeviceName().catch(() => undefined);
  return name ? onDevice(name) : null;
}

async function myself(): Promise<Person | null> {
  if (IS_SITE || !serverState.reachable) return meOnDevice();
  try {
    return (await json<{ me: Person | null }>('GET', '/session')).me;
  } catch (error) {
    if (isUnreachable(error)) return meOnDevice();
    throw error;
  }
}

export const api = {
  games: () => cached<GameInfo[]>('/games', list<GameInfo>('games')),
  game: (name: string) => cached<GameDetail>(`/games/${encodeURIComponent(name)}`, (answer: GameDetail) => answer),
  bots: () => cached<BotInfo[]>('/bots', list<BotInfo>('bots')),

  puzzles: () => cached<PuzzleCalendar>('/puzzles', (answer: PuzzleCalendar) => answer),
  /** The puzzle of a game on a day; null: today. */
  puzzle: (game: string, date: string | null) => aboutPuzzle<Puzzle>('GET', puzzlePath({ game, date })),
  tryPuzzle: (puzzle: PuzzleName, move: string) =>
    aboutPuzzle<PuzzleVerdict>('POST', puzzlePath(puzzle, '/try'), { move }),
  previewPuzzleMove: (puzzle: PuzzleName, move: string) =>
    aboutPuzzle<PuzzlePreview>('POST', puzzlePath(puzzle, '/preview'), { move }),
  whyPuzzleMove: (puzzle: PuzzleName, move: string) =>
    aboutPuzzle<{ refusal: string | null }>('POST', puzzlePath(puzzle, '/why'), { move }),

  me: myself,
  becomeGuest: (name: string) => json<Person>('POST', '/me', { name }),
  rename: (name: string) => json<Person>('PATCH', '/me', { name }),
  setPassword: (password: string, old?: string) =>
    json<Person>('POST', '/me/password', old ? { password, old } : { password }),
  login: (name: string, password: string) => json<Person>('POST', '/login', { name, password }),
  logout: (everywhere: boolean) => json<null>('POST', '/logout', { everywhere }),

  preferences: () => json<{ preferences: Known }>('GET', '/me/preferences').then((answer) => answer.preferences),
  setPreferences: (preferences: Record<string, Change>) =>
    json<{ preferences: Known }>('PUT', '/me/preferences', { preferences }).then((answer) => answer.preferences),
  avoided: () => json<{ people: Avoided[] }>('GET', '/me/avoided').then((answer) => answer.people),
  avoid: (wish: { table: string; person: string; kind: Avoided['kind']; invite: string | null }) =>
    json<{ people: Avoided[] }>('POST', '/me/avoided', wish).then((answer) => answer.people),
  stopAvoiding: (who: string) =>
    json<{ people: Avoided[] }>('DELETE', `/me/avoided/${encodeURIComponent(who)}`).then((answer) => answer.people),

  tables: (about: {
    mine?: boolean;
    state?: string;
    game?: string;
    limit?: number;
    before?: number;
    player?: string;
  }) => json<{ tables: TableInfo[] }>('GET', `/tables${query(about)}`).then((answer) => answer.tables),
  table: (id: string, invite?: string | null) => json<TableInfo>('GET', `${table(id)}${query({ invite })}`),
  create: (wish: TableWish, where: Where) => json<TableInfo>('POST', '/tables', wish, where),
  /** Turns the record of a finished game into a table. */
  import: (record: string, where: Where) => json<TableInfo>('POST', '/import', { record }, where),
  join: (id: string, seat: number | null, invite: string | null) =>
    json<TableInfo>('POST', `${table(id)}/join`, { seat, invite: invite ?? '' }),
  leave: (id: string, seat: number | null) => json<TableInfo>('POST', `${table(id)}/leave`, { seat }),
  change: (
    id: string,
    what: Partial<Pick<TableWish, 'options' | 'clock' | 'private' | 'hints' | 'badges' | 'takebacks' | 'rated'>>,
  ) => json<TableInfo>('PATCH', table(id), what),
  seat: (id: string, seat: number, kind: 'bot' | 'open', level?: string) =>
    json<TableInfo>('POST', `${table(id)}/seats`, kind === 'bot' ? { seat, kind, level } : { seat, kind }),
  addChair: (id: string) => json<TableInfo>('POST', `${table(id)}/chairs/add`),
  removeChair: (id: string, seat: number) => json<TableInfo>('POST', `${table(id)}/chairs/remove`, { seat }),
  nameSeat: (id: string, seat: number, name: string) =>
    json<TableInfo>('POST', `${table(id)}/chairs/name`, { seat, name }),
  start: (id: string) => json<TableInfo>('POST', `${table(id)}/start`),
  handover: (id: string, seat: number, level: string) =>
    json<TableInfo>('POST', `${table(id)}/handover`, { seat, level }),
  takeback: (id: string, seat: number) => json<TableInfo>('POST', `${table(id)}/takeback`, { seat }),
  resign: (id: string, seat: number) => json<TableInfo>('POST', `${table(id)}/resign`, { seat }),
  ratingsOf: (id: string, invite?: string | null) =>
    json<TableRatings>('GET', `${table(id)}/ratings${query({ invite })}`),

  profile: () => json<Profile>('GET', '/me/profile'),
  person: (id: string) =>
    json<{ profile: Profile | null }>('GET', `/people/${encodeURIComponent(id)}`).then((answer) => answer.profile),
  history: (about: {
    game?: string;
    opponent?: string;
    result?: string;
    rated?: string;
    since?: number;
    until?: number;
    after?: string;
  }) => json<PlayedGames>('GET', `/me/games${query(about)}`),
  statistics: (game: string) => json<Statistics>('GET', `/me/statistics${query({ game })}`),
  myRatings: (game: string) =>
    json<{ moments: RatingMoment[] }>('GET', `/me/ratings${query({ game })}`).then((answer) => answer.moments),
  leaderboard: (game: string, from: number) =>
    json<Leaderboard>('GET', `/leaderboards/${encodeURIComponent(game)}${query({ from })}`),
  deleteMe: (password?: string) =>
    json<null>('POST', '/me/delete', password ? { confirm: true, password } : { confirm: true }),

  rematch: (id: string) => json<TableInfo>('POST', `${table(id)}/rematch`),
  record: (id: string, invite?: string | null) =>
    send('GET', `${table(id)}/record${query({ invite })}`).then((answer) => answer.text()),
  analysis: (id: string, invite?: string | null) => json<Analysis>('GET', `${table(id)}/analysis${query({ invite })}`),
  analyse: (id: string, invite?: string | null) => json<Analysis>('POST', `${table(id)}/analysis${query({ invite })}`),
  verify: (id: string) => json<Verdict>('GET', `${table(id)}/verify`),
  log: (id: string, about: { seat?: number | null; invite?: string | null }) =>
    json<{ entries: Entry[] }>('GET', `${table(id)}/log${query(about)}`).then((answer) => answer.entries),
  replay: (id: string, about: { seat?: number | null; from: number; to: number; invite?: string | null }) =>
    json<{ moments: Moment[] } | Moment[]>('GET', `${table(id)}/replay${query(about)}`).then((answer) =>
      Array.isArray(answer) ? answer : answer.moments,
    ),
};

const friendList = (method: string, path: string, body?: unknown): Promise<Friend[]> =>
  json<{ friends: Friend[] }>(method, path, body).then((answer) => answer.friends);

/** What only a server can do: other people, and alerts. */
export const peopleApi = {
  inbox: () => json<Inbox>('GET', '/inbox'),
  waiting: () => json<{ waiting: Waiting[] }>('GET', '/search').then((answer) => answer.waiting),
  findGame: (wish: SearchWish) => json<Search>('PUT', '/search', wish),
  /** `closing`: the page is being closed, and waits for nothing. */
  stopSearch: (id: string, closing = false): Promise<unknown> =>
    closing ? askServer('DELETE', `/search/${id}`, undefined, true) : json('DELETE', `/search/${id}`),
  friends: () => friendList('GET', '/friends'),
  addFriend: (by: { name: string } | { code: string }) => friendList('POST', '/friends', by),
  acceptFriend: (handle: string) => friendList('POST', `/friends/${handle}/accept`),
  removeFriend: (handle: string) => friendList('DELETE', `/friends/${handle}`),
  friendLink: (renew = false) =>
    json<{ code: string }>(renew ? 'POST' : 'GET', '/me/friend-link').then((answer) => answer.code),
  friendOfLink: (code: string) =>
    json<{ name: string }>('GET', `/friend-links/${encodeURIComponent(code)}`).then((answer) => answer.name),
  invite: (id: string, friend: string) => json<unknown>('POST', `${table(id)}/invitations`, { friend }),
  dropInvitation: (id: string) => json<unknown>('DELETE', `/invitations/${encodeURIComponent(id)}`),
  alerts: () => json<AlertSettings>('GET', '/alerts'),
  setAlerts: (choices: AlertChoices) => json<AlertSettings>('PUT', '/alerts', choices),
  setAlertEmail: (email: string) => json<AlertSettings>('PUT', '/alerts/email', { email }),
  setAlertWebhook: (url: string) => json<AlertSettings>('PUT', '/alerts/webhook', { url }),
  subscribePush: (browser: PushBrowser) => json<AlertSettings>('POST', '/alerts/push', browser),
  unsubscribePush: (endpoint: string) => json<AlertSettings>('POST', '/alerts/push/remove', { endpoint }),
  testAlerts: () => json<{ messages: number }>('POST', '/alerts/test').then((answer) => answer.messages),
  confirmEmail: (token: string) =>
    json<{ email: string }>('POST', '/alerts/confirm', { token }).then((answer) => answer.email),
  stopAlerts: (token: string) =>
    json<{ channel: string }>('POST', `/alerts/stop/${encodeURIComponent(token)}`).then((answer) => answer.channel),
  vacation: () => json<Vacation>('GET', '/vacation'),
  beginVacation: (days: number) => json<Vacation>('POST', '/vacation', { days }),
  endVacation: () => json<Vacation>('DELETE', '/vacation'),
};

/** What only this device can do. */
export const deviceApi = {
  /** Another name. It is kept as it is; Python makes it fit to be shown. */
  async rename(name: string): Promise<Person> {
    await (await import('../local/database')).writeDeviceName(name);
    return onDevice(name);
  },
  /** Deletes a table for good. */
  remove: async (id: string): Promise<void> => (await import('../local/database')).deleteTable(id),
  /** Deletes all tables on this device. */
  removeAll: async (): Promise<void> => (await import('../local/database')).deleteAllTables(),
  /** The record of a game, also of one that is not over yet. */
  record: (id: string) => send('GET', `${table(id)}/record?unfinished=true`).then((answer) => answer.text()),
};
