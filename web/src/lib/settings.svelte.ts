/** What a person likes, kept in this browser. */
import { chosenLevel, USUAL } from './levels/levels';

export type Speed = keyof typeof TIMES;
/** How long a movement takes at each speed, as a part of its usual time. */
export const TIMES = { slow: 1.8, normal: 1, fast: 0.5, fastest: 0.08 } as const;

export interface Likes {
  theme: 'system' | 'light' | 'dark';
  confirm: boolean;
  motion: 'system' | 'full' | 'none';
  /** How fast pieces move and how soon the next move of others is shown. */
  speed: Speed;
  sound: boolean;
  patterns: boolean;
  /** Whether places are written on the board by name. */
  coordinates: boolean;
  level: string;
  /** Whether a guide is offered at the first game of a kind. */
  offer: boolean;
}

const KEY = 'wellies.likes';
const START: Likes = {
  theme: 'system',
  confirm: true,
  motion: 'system',
  speed: 'normal',
  sound: true,
  patterns: true,
  coordinates: false,
  level: USUAL,
  offer: true,
};

function stored(): Likes {
  try {
    const likes = { ...START, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Likes>) };
    return { ...likes, level: chosenLevel(likes.level), speed: likes.speed in TIMES ? likes.speed : START.speed };
  } catch {
    return { ...START };
  }
}

class Settings {
  likes: Likes = $state({ ...START });
  #still = $state(false);

  load(): void {
    this.likes = stored();
    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.#still = calm.matches;
    calm.addEventListener('change', () => (this.#still = calm.matches));
    this.show();
  }

  set<K extends keyof Likes>(key: K, value: Likes[K]): void {
    this.likes[key] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.likes));
    } catch {
      // A browser that keeps nothing still plays.
    }
    this.show();
  }

  /** Whether things stand still. */
  get still(): boolean {
    return this.likes.motion === 'none' || (this.likes.motion === 'system' && this.#still);
  }

  /** The milliseconds that a movement takes at the chosen speed; none when things stand still. */
  span(milliseconds: number): number {
    return this.still ? 0 : milliseconds * TIMES[this.likes.speed];
  }

  show(): void {
    const root = document.documentElement;
    if (this.likes.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = this.likes.theme;
    root.dataset.motion = this.still ? 'none' : 'full';
    root.style.setProperty('--time', String(TIMES[this.likes.speed]));
    root.dataset.patterns = this.likes.patterns ? 'on' : 'off';
  }
}

export const settings = new Settings();
