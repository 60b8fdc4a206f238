/**
 * Keeps the preferences of this browser and those of the person at the server the same. A change counts here at once; it is
 * sent when the server can be reached and knows who I am. Of two changes of one preference the later one counts. When somebody
 * logs in, the preferences of the account count.
 */
import { isPreference, isValue, type PreferenceName, type PreferenceValue } from './preferences';
import { asRecord } from './storage';

/** What this browser remembers of it: see `UNSENT` and `OWNER`. */
export interface Memory {
  read<T>(key: string, fallback: T): T;
  write(key: string, value: unknown): void;
}

export interface Change {
  value: PreferenceValue;
  /** How many milliseconds ago it was made. */
  age: number;
}

export type Known = Record<string, { value: unknown }>;

export interface Server {
  load(): Promise<Known>;
  /** Sends changes, and returns what counts now. */
  save(changes: Record<string, Change>): Promise<Known>;
}

/** The preferences of this browser. */
export interface Local {
  get(name: PreferenceName): PreferenceValue;
  /** Takes over a value from the server. */
  take(name: PreferenceName, value: PreferenceValue): void;
  /** The names of those that are not as they were at first. */
  changed(): PreferenceName[];
}

/** The preferences that the server does not know yet, each with the time of the change. */
const UNSENT = 'wellies.likes.unsent';
/** Whose preferences these are: the id of the person; empty for nobody. */
const OWNER = 'wellies.likes.owner';
const LONGEST_AGE = 400 * 86_400_000;
const WAIT_MS = 300;
/** How long the server's answer is good enough for a page that is looked at again. */
const FRESH_MS = 10_000;

export class PreferenceSync {
  /** Whether the server knows me and can be reached; its id of me. */
  #person: string | null = null;
  #unsent: Record<string, number>;
  #owner: string | null;
  #running = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loadedAt = -Infinity;

  constructor(
    readonly server: Server,
    readonly local: Local,
    readonly memory: Memory,
    readonly now: () => number = Date.now,
  ) {
    this.#unsent = asRecord(memory.read<unknown>(UNSENT, {}));
    this.#owner = memory.read<string | null>(OWNER, null);
  }

  /** What this browser kept before preferences followed anybody: the server may have it, unless it knows better. */
  #adopt(): void {
    for (const name of this.local.changed()) this.#unsent[name] ??= 0;
  }

  /** Somebody has changed a preference here. */
  note(name: PreferenceName): void {
    this.#reread();
    this.#unsent[name] = this.now();
    this.memory.write(UNSENT, this.#unsent);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.sync(), WAIT_MS);
  }

  /** The server knows me now (by this id), or cannot be reached, or nobody is known. */
  async meet(person: { id: string; account: boolean } | null): Promise<void> {
    this.#person = person?.id ?? null;
    if (!person) return;
    this.#reread();
    if (this.#owner !== person.id) {
      // Whoever used this browser before does not change the account of whoever logs in.
      if (this.#owner === null) this.#adopt();
      else if (person.account) this.#unsent = {};
      this.#owner = person.id;
      this.memory.write(OWNER, this.#owner);
      this.memory.write(UNSENT, this.#unsent);
    }
    await this.sync();
  }

  /** Somebody logs in or out: what was changed here before is not theirs. */
  forget(): void {
    this.#person = null;
    this.#owner = '';
    this.#unsent = {};
    this.memory.write(OWNER, '');
    this.memory.write(UNSENT, {});
  }

  /** The page is looked at again: another device may have changed something. */
  lookedAt(): void {
    if (this.now() - this.#loadedAt > FRESH_MS) void this.sync();
  }

  /** Other tabs of this browser change what is unsent, too. */
  #reread(): void {
    this.#unsent = asRecord(this.memory.read<unknown>(UNSENT, this.#unsent));
    this.#owner = this.memory.read(OWNER, this.#owner);
  }

  /** Sends what is unsent, and takes over what counts. A failure leaves everything for the next time. */
  async sync(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    try {
      do {
        this.#again = false;
        await this.#once();
      } while (this.#again);
    } catch {
      // The server is away or busy: once more with the next change, or when it is back.
    } finally {
      this.#running = false;
    }
  }

  async #once(): Promise<void> {
    const person = this.#person;
    if (person === null) return;
    this.#reread();
    const sent = { ...this.#unsent };
    const changes: Record<string, Change> = {};
    for (const [name, at] of Object.entries(sent))
      if (isPreference(name))
        changes[name] = {
          value: this.local.get(name),
          age: Math.round(Math.min(LONGEST_AGE, Math.max(0, this.now() - at))),
        };
    const known = Object.keys(changes).length ? await this.server.save(changes) : await this.server.load();
    if (this.#person !== person) return;
    this.#reread();
    this.#loadedAt = this.now();
    for (const [name, at] of Object.entries(sent)) if (this.#unsent[name] === at) delete this.#unsent[name];
    this.memory.write(UNSENT, this.#unsent);
    for (const [name, { value }] of Object.entries(known))
      if (isPreference(name) && isValue(name, value) && !(name in this.#unsent)) this.local.take(name, value);
  }
}
