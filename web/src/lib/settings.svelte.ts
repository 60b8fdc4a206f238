/** A person's preferences, stored in this browser and applied to the root element. */
import { DEFAULT_LEVEL, levelForPeople } from './levels/levels';
import type { Where } from './local/where';
import { readStored, writeStored } from './storage';

/** How long an animation takes at each speed, relative to its normal duration. */
export const SPEED_FACTORS = { slow: 1.8, normal: 1, fast: 0.5, fastest: 0.08 } as const;
export type Speed = keyof typeof SPEED_FACTORS;

export interface SettingValues {
  theme: 'system' | 'light' | 'dark';
  /** Whether a move is confirmed before it is sent. */
  confirm: boolean;
  motion: 'system' | 'full' | 'none';
  /** The speed of animations, and of the moves of others. */
  speed: Speed;
  sound: boolean;
  /** Whether every colour also has a pattern. */
  patterns: boolean;
  /** Whether the board shows the names of its spaces. */
  coordinates: boolean;
  /** The level of bots for "Play now". */
  level: string;
  /** Whether a guide is offered at the first game of a kind. */
  offer: boolean;
  /** Where new games are, if a server can be reached and nobody else is needed. */
  where: Where;
}

const KEY = 'wellies.likes';
const DEFAULTS: SettingValues = {
  theme: 'system',
  confirm: true,
  motion: 'system',
  speed: 'normal',
  sound: true,
  patterns: true,
  coordinates: false,
  level: DEFAULT_LEVEL,
  offer: true,
  where: 'server',
};

function readValues(): SettingValues {
  const values = { ...DEFAULTS, ...readStored<Partial<SettingValues> | null>(KEY, null) };
  return {
    ...values,
    level: levelForPeople(values.level),
    speed: values.speed in SPEED_FACTORS ? values.speed : DEFAULTS.speed,
  };
}

class Settings {
  values: SettingValues = $state({ ...DEFAULTS });
  /** Whether the device asks for reduced motion. */
  #deviceReduced = $state(false);

  load(): void {
    this.values = readValues();
    const query = matchMedia('(prefers-reduced-motion: reduce)');
    this.#deviceReduced = query.matches;
    query.addEventListener('change', () => (this.#deviceReduced = query.matches));
    this.#apply();
  }

  set<K extends keyof SettingValues>(key: K, value: SettingValues[K]): void {
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
