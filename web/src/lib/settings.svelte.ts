/** What a person likes, kept in this browser. */
import { chosenLevel, USUAL } from './levels/levels';

export interface Likes {
  theme: 'system' | 'light' | 'dark';
  confirm: boolean;
  motion: 'system' | 'full' | 'none';
  sound: boolean;
  patterns: boolean;
  level: string;
}

const KEY = 'wellies.likes';
const START: Likes = { theme: 'system', confirm: true, motion: 'system', sound: true, patterns: true, level: USUAL };

function stored(): Likes {
  try {
    const likes = { ...START, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Likes>) };
    return { ...likes, level: chosenLevel(likes.level) };
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

  show(): void {
    const root = document.documentElement;
    if (this.likes.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = this.likes.theme;
    root.dataset.motion = this.still ? 'none' : 'full';
    root.dataset.patterns = this.likes.patterns ? 'on' : 'off';
  }
}

export const settings = new Settings();
