/** How cards, groups and pups are drawn. One drawing of a sitting pup serves all breeds: ears, snout, coat and tail differ. */
import { noise } from '../../lib/board/handDrawn';

export type Ears = 'button' | 'big' | 'long' | 'point' | 'rose' | 'drop' | 'small' | 'tip' | 'cat';
export type Snout = 'flat' | 'short' | 'mid' | 'long' | 'broad' | 'cat';
export type Mark =
  'none' | 'pug' | 'blaze' | 'husky' | 'shiba' | 'points' | 'merle' | 'patch' | 'tabby' | 'seal' | 'tuxedo';
export type Tail = 'curl' | 'wag' | 'plume' | 'stub' | 'cat';

export interface Coat {
  main: string;
  /** Muzzle, chest and paws. */
  light: string;
  /** Ears and markings. */
  dark: string;
  /** The body, where it differs from the head. */
  back?: string;
  ears: Ears;
  snout: Snout;
  mark: Mark;
  tail: Tail;
  /** Half the width of the head, half its height, and how wide the jaw is. */
  head: readonly [number, number, number];
  iris?: string;
  iris2?: string;
  eye?: number;
  long?: boolean;
  fluff?: boolean;
}

/** By the tens digit. */
export const COATS: readonly Coat[] = [
  {
    main: '#e9cfa2',
    light: '#f3e2c3',
    dark: '#4a3b36',
    ears: 'button',
    snout: 'flat',
    mark: 'pug',
    tail: 'curl',
    head: [25, 23, 25],
    eye: 4.6,
  },
  {
    main: '#e8a155',
    light: '#fff8ea',
    dark: '#c97c34',
    ears: 'big',
    snout: 'short',
    mark: 'blaze',
    tail: 'stub',
    head: [23, 21, 15],
  },
  {
    main: '#bf7d49',
    light: '#fffaf0',
    dark: '#8a4f2b',
    back: '#463a38',
    ears: 'long',
    snout: 'mid',
    mark: 'blaze',
    tail: 'wag',
    head: [21, 23, 17],
  },
  {
    main: '#594038',
    light: '#cd9257',
    dark: '#433029',
    ears: 'long',
    snout: 'long',
    mark: 'points',
    tail: 'wag',
    head: [19, 23, 13],
    long: true,
  },
  {
    main: '#7d8d9b',
    light: '#fdfbf5',
    dark: '#5a6977',
    ears: 'point',
    snout: 'short',
    mark: 'husky',
    tail: 'curl',
    head: [24, 22, 18],
    iris: '#63b7e6',
    fluff: true,
  },
  {
    main: '#a98e86',
    light: '#f6ece4',
    dark: '#836b65',
    ears: 'rose',
    snout: 'broad',
    mark: 'patch',
    tail: 'wag',
    head: [26, 22, 27],
  },
  {
    main: '#f2d998',
    light: '#faedc9',
    dark: '#dfbd6c',
    ears: 'drop',
    snout: 'broad',
    mark: 'none',
    tail: 'wag',
    head: [23, 23, 20],
  },
  {
    main: '#d07a45',
    light: '#fcefdc',
    dark: '#b05f30',
    ears: 'small',
    snout: 'short',
    mark: 'shiba',
    tail: 'curl',
    head: [25, 21, 20],
    eye: 2.7,
    fluff: true,
  },
  {
    main: '#b4c0cc',
    light: '#fffaf0',
    dark: '#4f5c69',
    ears: 'tip',
    snout: 'mid',
    mark: 'merle',
    tail: 'stub',
    head: [22, 23, 16],
    iris: '#63b7e6',
    iris2: '#7a4a24',
    fluff: true,
  },
];

/** The Special Doggos look like cats. */
const CAT = { ears: 'cat', snout: 'cat', tail: 'cat', head: [25, 20, 21] } as const;
export const DOGGO_COATS: readonly Coat[] = [
  { ...CAT, main: '#9aa3ab', light: '#dfe4e6', dark: '#747e87', mark: 'none', iris: '#e8b93c' },
  { ...CAT, main: '#fbf3e4', light: '#ffffff', dark: '#e3d4bb', mark: 'none', iris: '#6fb3d8', fluff: true },
  { ...CAT, main: '#eba35b', light: '#fdf0dc', dark: '#c97735', mark: 'tabby', iris: '#8fb54e' },
  { ...CAT, main: '#c7b09a', light: '#f3e8da', dark: '#8d735c', mark: 'tabby', iris: '#8fb54e' },
  { ...CAT, main: '#4a4c55', light: '#fdfaf2', dark: '#33353d', mark: 'tuxedo', iris: '#e8c547' },
  { ...CAT, main: '#e6d3b3', light: '#fbf4e4', dark: '#c4a678', mark: 'tabby', iris: '#8fb54e' },
  { ...CAT, main: '#53505c', light: '#75717f', dark: '#3b3943', mark: 'none', iris: '#f0cf4a' },
  { ...CAT, main: '#dd8a4c', light: '#fff4e2', dark: '#b9642c', mark: 'tuxedo', iris: '#8fb54e' },
  { ...CAT, main: '#f0e2cb', light: '#faf2e3', dark: '#6a5347', mark: 'seal', iris: '#63a9e0' },
  { ...CAT, main: '#a58a6c', light: '#e9d8bf', dark: '#5f4a38', mark: 'tabby', iris: '#e8b93c', fluff: true },
];

/** How a pup looks by its trick: closed eyes, a medal, a bandana… */
export type Mood =
  'sleepy' | 'proud' | 'brave' | 'friendly' | 'crafty' | 'stubborn' | 'hungry' | 'playful' | 'generous' | 'swift';
export const MOODS: readonly Mood[] = [
  'sleepy',
  'proud',
  'brave',
  'friendly',
  'crafty',
  'stubborn',
  'hungry',
  'playful',
  'generous',
  'swift',
];
const DOGGO_MOODS: readonly Mood[] = [
  'crafty',
  'friendly',
  'proud',
  'sleepy',
  'hungry',
  'sleepy',
  'crafty',
  'playful',
  'proud',
  'brave',
];

export interface Look {
  coat: Coat;
  mood: Mood;
  doggo: boolean;
}

export function lookOf(card: number): Look {
  const ones = card % 10;
  const doggo = card >= 90;
  const coat = (doggo ? DOGGO_COATS[ones] : COATS[Math.floor(card / 10)]) as Coat;
  return { coat, mood: ((doggo ? DOGGO_MOODS : MOODS)[ones] ?? 'friendly') as Mood, doggo };
}

/** The background colour of a breed's cards and groups, by the tens digit. */
export const WASHES: readonly string[] = [
  '#efe0c4',
  '#f7d9ae',
  '#e6cdb4',
  '#dcc3a9',
  '#cfdde6',
  '#e6d6d1',
  '#f7ebbd',
  '#f2cdb0',
  '#d3dde8',
  '#e3d5ec',
];

const r = (n: number) => Math.round(n * 10) / 10;

export function headPath([w, h, jaw]: Coat['head']): string {
  const y = -14;
  const half = (s: 1 | -1) =>
    s > 0
      ? `C${r(w * 0.72)} ${r(y - h)} ${w} ${r(y - h * 0.5)} ${w} ${r(y + h * 0.12)}C${w} ${r(y + h * 0.62)} ${r(jaw * 0.85)} ${r(y + h)} 0 ${r(y + h)}`
      : `C${r(-jaw * 0.85)} ${r(y + h)} ${-w} ${r(y + h * 0.62)} ${-w} ${r(y + h * 0.12)}C${-w} ${r(y - h * 0.5)} ${r(-w * 0.72)} ${r(y - h)} 0 ${r(y - h)}`;
  return `M0 ${r(y - h)}${half(1)}${half(-1)}Z`;
}

/** The right ear; the left one is its mirror image. */
export const EARS: Record<Ears, string> = {
  button: 'M11 -34C18 -42 29 -39 31 -30C32 -22 29 -15 25 -13C23 -21 19 -29 11 -34Z',
  big: 'M5 -33C9 -53 19 -62 27 -55C32 -46 29 -31 22 -23Z',
  long: 'M12 -34C25 -39 34 -25 35 -5C35 9 28 13 22 6C19 -5 20 -22 12 -34Z',
  point: 'M6 -34C10 -44 15 -52 20 -57C25 -48 26 -37 23 -26Z',
  rose: 'M13 -34C18 -44 28 -48 35 -40C31 -38 29 -31 24 -26Z',
  drop: 'M12 -36C24 -41 33 -31 32 -13C31 -4 26 -2 22 -7C20 -17 19 -27 12 -36Z',
  small: 'M8 -34C12 -41 17 -47 22 -50C26 -43 27 -35 24 -26Z',
  tip: 'M7 -35C11 -48 18 -54 24 -48C31 -45 34 -37 31 -31C27 -35 25 -31 22 -25Z',
  cat: 'M5 -33C9 -41 14 -49 20 -54C25 -45 27 -34 25 -22Z',
};
export const INNER: Partial<Record<Ears, string>> = {
  big: 'M11 -35C14 -47 20 -53 24 -50C27 -44 25 -35 21 -29Z',
  point: 'M11 -36C13 -42 16 -47 19 -50C22 -44 22 -38 20 -32Z',
  small: 'M13 -36C15 -40 18 -43 21 -45C23 -40 23 -36 22 -32Z',
  cat: 'M11 -34C13 -40 16 -45 19 -48C22 -42 23 -36 22 -30Z',
};
export const MUZZLES: Record<Snout, { x: number; y: number; nose: number; size: number }> = {
  flat: { x: 15, y: 10.5, nose: -10, size: 0.9 },
  short: { x: 10, y: 8.5, nose: -8, size: 0.9 },
  mid: { x: 10.5, y: 10, nose: -6, size: 1 },
  long: { x: 8.5, y: 12.5, nose: -1, size: 1.1 },
  broad: { x: 14, y: 10, nose: -8, size: 1.15 },
  cat: { x: 9, y: 6.5, nose: -8, size: 0.62 },
};
export const TAILS: Record<Tail, string> = {
  curl: 'M17 33C35 36 42 19 33 13C25 9 20 19 28 22',
  wag: 'M18 36C31 37 36 27 37 15',
  plume: 'M18 36C33 36 38 26 34 14',
  stub: 'M18 36Q24 35 26 30',
  cat: 'M17 38C36 42 44 28 37 19C32 12 37 4 43 5',
};

const outlines = new Map<string, string>();
/** The outline of a card or a group around 0,0, with rounded corners. */
export function outline(w: number, h: number, corner = 12): string {
  const key = `${w},${h},${corner}`;
  let path = outlines.get(key);
  if (path === undefined) {
    const [a, b, c] = [w / 2, h / 2, Math.min(corner, w / 3, h / 3)];
    // Each side is slightly curved, and the corners differ.
    const bow = (i: number) => (noise(Math.round(w * 7 + h * 13) + i) - 0.5) * 2.4;
    const [d, e] = [c * 0.85, c * 1.15];
    const drawn =
      `M${-a + c} ${-b}Q0 ${-b + bow(1)} ${a - d} ${-b}Q${a} ${-b} ${a} ${-b + e}` +
      `Q${a + bow(2)} 0 ${a} ${b - c}Q${a} ${b} ${a - e} ${b}` +
      `Q0 ${b + bow(3)} ${-a + d} ${b}Q${-a} ${b} ${-a} ${b - e}Q${-a + bow(4)} 0 ${-a} ${-b + c}Q${-a} ${-b} ${-a + c} ${-b}Z`;
    outlines.set(key, (path = drawn.replace(/\d+\.\d+/g, (n) => String(Math.round(Number(n) * 100) / 100))));
  }
  return path;
}
