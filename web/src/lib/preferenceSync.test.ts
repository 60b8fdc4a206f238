import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  isValue,
  PREFERENCE_DEFAULTS,
  PREFERENCE_NAMES,
  type PreferenceName,
  type PreferenceValue,
} from './preferences';
import { PreferenceSync, type Change, type Known } from './preferenceSync';

describe('the list of preferences', () => {
  it('has a default for each that is one of its values', () => {
    expect(PREFERENCE_NAMES.length).toBeGreaterThan(10);
    for (const name of PREFERENCE_NAMES) {
      expect(isValue(name, PREFERENCE_DEFAULTS[name])).toBe(true);
      for (const wrong of [undefined, null, [], {}, 1.5, -1, 'no such value']) expect(isValue(name, wrong)).toBe(false);
    }
    expect(isValue('sound', 1)).toBe(false);
    expect(isValue('volume', true)).toBe(false);
    expect(isValue('volume', 100)).toBe(true);
  });
});

/** The server's part: of two changes the later one counts. */
class FakeServer {
  values: Record<string, { value: PreferenceValue; at: number }> = {};
  away = false;
  calls = 0;
  constructor(readonly now: () => number) {}

  load(): Promise<Known> {
    this.calls++;
    return this.away ? Promise.reject(new Error('away')) : Promise.resolve(structuredClone(this.values));
  }
  save(changes: Record<string, Change>): Promise<Known> {
    if (!this.away)
      for (const [name, { value, age }] of Object.entries(changes)) {
        const at = this.now() - age;
        if (at >= (this.values[name]?.at ?? -Infinity)) this.values[name] = { value, at };
      }
    return this.load();
  }
}

/** A browser with what it keeps, which several tabs share. */
class Browser {
  stored = new Map<string, string>();
  values: Record<string, PreferenceValue> = { ...PREFERENCE_DEFAULTS };

  tab(server: FakeServer): PreferenceSync {
    return new PreferenceSync(
      server,
      {
        get: (name) => this.values[name] as PreferenceValue,
        take: (name, value) => (this.values[name] = value),
        changed: () => PREFERENCE_NAMES.filter((name) => this.values[name] !== PREFERENCE_DEFAULTS[name]),
      },
      {
        read: <T>(key: string, fallback: T): T => {
          const text = this.stored.get(key);
          return text === undefined ? fallback : (JSON.parse(text) as T);
        },
        write: (key, value) => void this.stored.set(key, JSON.stringify(value)),
      },
      server.now,
    );
  }
  set(tab: PreferenceSync, name: PreferenceName, value: PreferenceValue): void {
    this.values[name] = value;
    tab.note(name);
  }
}

const ANN = { id: 'ann', account: true };
const GUEST = { id: 'guest', account: false };

describe('preferences that follow a person', () => {
  let now = 1_800_000_000_000;
  let server: FakeServer;
  const wait = async (ms: number) => {
    now += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  beforeEach(() => {
    vi.useFakeTimers();
    now = 1_800_000_000_000;
    server = new FakeServer(() => now);
  });
  afterEach(() => vi.useRealTimers());

  it('are sent a moment after they are changed, several at once', async () => {
    const home = new Browser();
    const tab = home.tab(server);
    await tab.meet(GUEST);
    const before = server.calls;
    home.set(tab, 'speed', 'fast');
    home.set(tab, 'sound', false);
    await wait(1_000);
    expect(server.values).toMatchObject({ speed: { value: 'fast' }, sound: { value: false } });
    expect(server.calls).toBe(before + 1);
  });

  it('arrive in another browser', async () => {
    const [home, phone] = [new Browser(), new Browser()];
    const tab = home.tab(server);
    await tab.meet(ANN);
    home.set(tab, 'theme', 'dark');
    await wait(1_000);
    await phone.tab(server).meet(ANN);
    expect(phone.values['theme']).toBe('dark');
  });

  it('that were changed without a server are sent when it is back, and lose to what was changed later elsewhere', async () => {
    const [home, phone] = [new Browser(), new Browser()];
    const [tab, other] = [home.tab(server), phone.tab(server)];
    await tab.meet(ANN);
    await other.meet(ANN);
    await tab.meet(null);
    home.set(tab, 'speed', 'slow');
    home.set(tab, 'motion', 'none');
    await wait(60_000);
    phone.set(other, 'speed', 'fastest');
    await wait(1_000);
    expect(server.values['motion']).toBeUndefined();
    await tab.meet(ANN);
    expect(home.values).toMatchObject({ speed: 'fastest', motion: 'none' });
    expect(server.values).toMatchObject({ speed: { value: 'fastest' }, motion: { value: 'none' } });
  });

  it('outlive a page that is closed before they were sent', async () => {
    const home = new Browser();
    const tab = home.tab(server);
    await tab.meet(GUEST);
    server.away = true;
    home.set(tab, 'volume', 10);
    await wait(1_000);
    server.away = false;
    await home.tab(server).meet(GUEST);
    expect(server.values['volume']?.value).toBe(10);
  });

  it('of an account count when somebody logs in', async () => {
    server.values = { speed: { value: 'fast', at: now - 1e9 } };
    const shared = new Browser();
    const tab = shared.tab(server);
    await tab.meet(GUEST);
    tab.forget();
    shared.set(tab, 'speed', 'slow');
    shared.set(tab, 'theme', 'dark');
    tab.forget();
    await tab.meet(ANN);
    await wait(1_000);
    expect(shared.values['speed']).toBe('fast');
    expect(server.values).toEqual({ speed: { value: 'fast', at: now - 1_000 - 1e9 } });
  });

  it('of a browser from before are taken along, unless the server knows better', async () => {
    const old = new Browser();
    Object.assign(old.values, { theme: 'dark', speed: 'slow' });
    server.values = { speed: { value: 'fast', at: now - 1e9 } };
    await old.tab(server).meet(ANN);
    expect(server.values).toMatchObject({ theme: { value: 'dark' }, speed: { value: 'fast' } });
    expect(old.values).toMatchObject({ theme: 'dark', speed: 'fast' });
  });

  it('that a newer server knows, or whose value makes no sense, change nothing', async () => {
    Object.assign(server.values, { shoe_size: { value: 41, at: 0 }, speed: { value: 'warp', at: 0 } });
    const home = new Browser();
    await home.tab(server).meet(ANN);
    expect(home.values).toEqual(PREFERENCE_DEFAULTS);
  });

  it('are looked for again when the page is looked at again, but not every moment', async () => {
    const home = new Browser();
    const tab = home.tab(server);
    await tab.meet(ANN);
    const before = server.calls;
    tab.lookedAt();
    await wait(0);
    expect(server.calls).toBe(before);
    server.values['sound'] = { value: false, at: now };
    await wait(11_000);
    tab.lookedAt();
    await wait(0);
    expect(home.values['sound']).toBe(false);
  });
});
