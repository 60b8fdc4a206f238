/**
 * A person's preferences, stored in this browser and applied to the root element. Those of the server's list follow the person
 * (preferenceSync.ts); `where` is about this browser alone.
 */
import type { Preferences } from './api/generated/preferences';
import { levelForPeople } from './levels/levels';
import type { Where } from './local/where';
import { isPreference, isValue, PREFERENCE_DEFAULTS, PREFERENCE_NAMES, type PreferenceName } from './preferences';
import { readStoredRecord, writeStored } from './storage';

/** How long an animation takes at each speed, relative to its normal duration. */
export const SPEED_FACTORS = { slow: 1.8, normal: 1, fast: 0.5, fastest: 0.08 } as const;
export type Speed = keyof typeof SPEED_FACTORS;

export interface SettingValues extends Omit<Preferences, 'level' | 'locale'> {
  level: string;
  locale: string;
  /** Where new games are, if a server can be reached and nobody else is needed. */
  where: Where;
}

const KEY = 'wellies.likes';
const DEFAULTS: SettingValues = { ...PREFERENCE_DEFAULTS, where: 'server' };

/** The stored values; one that is not among those it can have is replaced by its default. */
function readValues(): SettingValues {
  const stored = readStoredRecord(KEY);
  const values: Record<string, unknown> = { ...DEFAULTS };
  for (const name of PREFERENCE_NAMES) {
    const value = name === 'level' ? levelForPeople(String(stored[name] ?? '')) : stored[name];
    if (isValue(name, value)) values[name] = value;
  }
  if (stored['where'] === 'device') values['where'] = 'device';
  return values as unknown as SettingValues;
}

class Settings {
  values: SettingValues = $state({ ...DEFAULTS });
  /** Called when the person has changed a preference that follows them. */
  onChange: (name: PreferenceName) => void = () => undefined;
  /** Whether the device asks for reduced motion. */
  #deviceReduced = $state(false);

  load(): void {
    this.values = readValues();
    const query = matchMedia('(prefers-reduced-motion: reduce)');
    this.#deviceReduced = query.matches;
    query.addEventListener('change', () => {
      this.#deviceReduced = query.matches;
      this.#apply();
    });
    // Another tab has changed something.
    addEventListener('storage', (event) => {
      if (event.key !== KEY) return;
      this.values = readValues();
      this.#apply();
    });
    this.#apply();
  }

  set<K extends keyof SettingValues>(key: K, value: SettingValues[K]): void {
    this.#store(key, value);
    if (isPreference(key)) this.onChange(key);
  }

  /** Takes over what the person has chosen in another browser. */
  take(name: PreferenceName, value: unknown): void {
    if (this.values[name] !== value) this.#store(name, value as SettingValues[PreferenceName]);
  }

  /** The preferences that are not at their defaults. */
  changed(): PreferenceName[] {
    return PREFERENCE_NAMES.filter((name) => this.values[name] !== DEFAULTS[name]);
  }

  #store<K extends keyof SettingValues>(key: K, value: SettingValues[K]): void {
    this.values[key] = value;
    writeStored(KEY, this.values);
    this.#apply();
  }

  /** Whether nothing on the page moves. */
  get reducedMotion(): boolean {
    return this.values.motion === 'none' || (this.values.motion === 'system' && this.#deviceReduced);
  }

  /** The duration of an animation at the chosen speed; 0 with reduced motion. */
  duration(milliseconds: number): number {
    return this.reducedMotion ? 0 : milliseconds * SPEED_FACTORS[this.values.speed];
  }

  /** Writes the preferences that style sheets read to the root element. */
  #apply(): void {
    const root = document.documentElement;
    if (this.values.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = this.values.theme;
    root.dataset.motion = this.reducedMotion ? 'none' : 'full';
    root.style.setProperty('--time', String(SPEED_FACTORS[this.values.speed]));
    root.dataset.patterns = this.values.patterns ? 'on' : 'off';
  }
}

export const settings = new Settings();
