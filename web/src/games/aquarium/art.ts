/** The pictures on the cards, in a square from -50 to 50. An unknown card, from a card file, gets the picture of its type. */
import { blob, noise, smooth } from '../../lib/board/handDrawn';
import type { CardType } from './material';

/** How it is animated: fish drift, plants sway, bubbles rise, other animals breathe. */
export type Motion = 'drift' | 'sway' | 'rise' | 'breathe' | 'still';

export interface Part {
  d: string;
  fill: string;
  /** The width of its outline; 0 for none. */
  line: number;
  ink?: string;
}
export interface Figure {
  motion: Motion;
  parts: Part[];
}

export const INK = '#24323b';
const RED = '#de6f5a';
const ORANGE = '#ee9b4a';
const YELLOW = '#f5d369';
const LIME = '#bcd06f';
const GREEN = '#8db878';
const PINE = '#5d8f67';
const TEAL = '#6db5ae';
const SKY = '#a9d3e2';
const BLUE = '#7aa7d0';
const VIOLET = '#a98cc4';
const PINK = '#eea9b5';
const ROSE = '#d9798f';
const SAND = '#ecdcb4';
const BROWN = '#b08660';
const BARK = '#83624a';
const CREAM = '#fdf3de';
const GREY = '#b8c0c2';
const STONE = '#8f9a9e';

const r = (n: number) => Math.round(n * 10) / 10;
const part = (d: string, fill: string, line = 1.8, ink?: string): Part =>
  ink ? { d, fill, line, ink } : { d, fill, line };
/** A stroke without a fill. */
const stroke = (d: string, line = 1.8, ink = INK): Part => ({ d, fill: 'none', line, ink });
const round = (x: number, y: number, rx: number, ry = rx) => {
  const [kx, ky] = [rx * 0.552, ry * 0.552];
  const c = (...n: number[]) => `C${n.map(r).join(' ')}`;
  return (
    `M${r(x - rx)} ${r(y)}` +
    c(x - rx, y - ky, x - kx, y - ry, x, y - ry) +
    c(x + kx, y - ry, x + rx, y - ky, x + rx, y) +
    c(x + rx, y + ky, x + kx, y + ry, x, y + ry) +
    `${c(x - kx, y + ry, x - rx, y + ky, x - rx, y)}Z`
  );
};
const moved = (x: number, y: number, d: string, sx = 1, sy = sx) => {
  // Absolute commands only: every pair of numbers is a point.
  let i = 0;
  return d.replace(/-?\d+(\.\d+)?/g, (n) => String(r(i++ % 2 ? Number(n) * sy + y : Number(n) * sx + x)));
};
const eye = (x: number, y: number, size = 3.4): Part[] => [
  part(round(x, y, size), '#fffdf5', 1.4),
  part(round(x - size * 0.2, y + size * 0.1, size * 0.5), INK, 0),
];
const bubble = (x: number, y: number, size: number): Part[] => [
  part(round(x, y, size), 'rgb(255 255 255 / 42%)', 1.4),
  stroke(
    `M${r(x - size * 0.5)} ${r(y - size * 0.1)}C${r(x - size * 0.5)} ${r(y - size * 0.45)} ${r(x - size * 0.2)} ${r(y - size * 0.6)} ${r(x + size * 0.05)} ${r(y - size * 0.6)}`,
    1.3,
    '#fff',
  ),
];

interface FishLook {
  long: number;
  high: number;
  body: string;
  fin: string;
  tail: 'fan' | 'fork' | 'lyre';
  marks?: Part[];
  x?: number;
  y?: number;
}
/** A fish that looks to the left. */
function fish({ long: l, high: h, body, fin, tail, marks = [], x = 0, y = 0 }: FishLook): Part[] {
  const b = l * 0.62;
  const reach = tail === 'lyre' ? 24 : tail === 'fork' ? 19 : 16;
  const spread = tail === 'fan' ? h * 0.72 : h * 0.95;
  const notch = tail === 'lyre' ? 5 : tail === 'fork' ? 9 : 14;
  const at = (d: string) => moved(x, y, d);
  return [
    part(
      at(
        `M${b - 3} 0C${b + 4} ${-spread * 0.4} ${b + reach * 0.6} ${-spread} ${b + reach} ${-spread * 1.05}C${b + notch} ${-spread * 0.4} ${b + notch} ${spread * 0.4} ${b + reach} ${spread * 1.05}C${b + reach * 0.6} ${spread} ${b + 4} ${spread * 0.4} ${b - 3} 0Z`,
      ),
      fin,
    ),
    part(
      at(
        `M${-l * 0.35} ${-h * 0.75}C${-l * 0.1} ${-h * 1.65} ${l * 0.35} ${-h * 1.45} ${l * 0.48} ${-h * 0.4}C${l * 0.2} ${-h * 0.6} ${-l * 0.1} ${-h * 0.7} ${-l * 0.35} ${-h * 0.75}Z`,
      ),
      fin,
    ),
    part(
      at(
        `M${-l * 0.05} ${h * 0.7}C${l * 0.1} ${h * 1.4} ${l * 0.3} ${h * 1.4} ${l * 0.42} ${h * 1.25}C${l * 0.36} ${h * 0.9} ${l * 0.36} ${h * 0.7} ${l * 0.4} ${h * 0.45}C${l * 0.2} ${h * 0.5} ${l * 0.1} ${h * 0.6} ${-l * 0.05} ${h * 0.7}Z`,
      ),
      fin,
    ),
    part(
      at(
        `M${-l} ${h * 0.08}C${-l * 0.8} ${-h * 0.85} ${-l * 0.15} ${-h * 1.25} ${b} ${-h * 0.2}L${b} ${h * 0.2}C${-l * 0.15} ${h * 1.25} ${-l * 0.8} ${h * 0.95} ${-l} ${h * 0.08}Z`,
      ),
      body,
    ),
    ...marks.map((mark) => ({ ...mark, d: at(mark.d) })),
    part(
      at(
        `M${-l * 0.18} ${h * 0.12}C${l * 0.02} ${-h * 0.12} ${l * 0.18} ${h * 0.1} ${l * 0.24} ${h * 0.36}C${l * 0.08} ${h * 0.52} ${-l * 0.1} ${h * 0.4} ${-l * 0.18} ${h * 0.12}Z`,
      ),
      fin,
      1.4,
    ),
    stroke(
      at(`M${-l * 0.93} ${h * 0.3}C${-l * 0.85} ${h * 0.42} ${-l * 0.78} ${h * 0.42} ${-l * 0.72} ${h * 0.34}`),
      1.3,
    ),
    ...eye(x - l * 0.62, y - h * 0.2, Math.min(4, h * 0.24)),
  ];
}

function shrimp(shell: string, bands: string, legs: string, claws: Part[] = []): Part[] {
  return [
    stroke('M-30 -12C-40 -26 -36 -38 -24 -42', 1.4),
    stroke('M-30 -10C-44 -16 -48 -28 -44 -40', 1.4),
    ...[-22, -15, -8, -1, 6, 13].map((x, i) =>
      stroke(`M${x} 8C${x - 1} 16 ${x - 5} 20 ${x - 6} 25L${x - 9} ${27 - i * 0.5}`, 1.9, legs),
    ),
    part('M30 20C42 20 47 28 46 36C38 36 31 32 27 25C31 23 31 22 30 20Z', bands, 1.6),
    part('M26 23C30 32 28 40 22 44C17 38 18 29 22 24Z', bands, 1.6),
    part(
      'M-38 -6C-30 -20 -6 -26 12 -20C30 -14 38 4 34 24C30 28 25 28 22 25C22 14 16 8 4 8C-12 10 -28 8 -38 -6Z',
      shell,
    ),
    part('M-6 -22C-2 -12 -4 0 -8 8L0 8.400C5 0 6 -12 3 -21.500Z', bands, 1.3),
    part('M12 -20C14 -10 12 0 9 7L15 11C21 2 23 -8 20 -16Z', bands, 1.3),
    part('M29 -6C26 2 22 8 18 14L22 22C28 16 32 10 34 6Z', bands, 1.3),
    ...claws,
    stroke('M-24 -14C-22 -8 -22 0 -25 4', 1.3),
    ...eye(-31, -10, 3),
  ];
}

const HUES = [RED, ORANGE, YELLOW, GREEN, TEAL, BLUE, VIOLET, PINK];
/** A bed of pebbles that fills the lower part. */
function pebbles(colours: readonly string[], seed: number, top = -2): Part[] {
  const found: Part[] = [];
  for (let row = 0; row < 4; row++) {
    for (let i = 0; i < 6; i++) {
      const n = seed + row * 17 + i * 5;
      const x = -50 + i * 19 + (row % 2) * 9 + (noise(n) - 0.5) * 6;
      const y = top + 7 + row * 13.5 + (noise(n + 1) - 0.5) * 5;
      const size = 8.4 + noise(n + 2) * 3;
      if (x > 54) continue;
      const colour = colours[Math.floor(noise(n + 3) * colours.length)] ?? GREY;
      found.push(part(moved(x, y, blob(size, 1.6, n, 7), 1.15, 0.86), colour, 1.5));
      found.push(
        stroke(
          `M${r(x - size * 0.5)} ${r(y - size * 0.2)}C${r(x - size * 0.4)} ${r(y - size * 0.5)} ${r(x - size * 0.1)} ${r(y - size * 0.55)} ${r(x + size * 0.2)} ${r(y - size * 0.5)}`,
          1.2,
          'rgb(255 255 255 / 65%)',
        ),
      );
    }
  }
  return found;
}

const wave = (x: number, y: number, size = 1): Part =>
  stroke(moved(x, y, 'M-16 0C-11 -5 -6 -5 -1 0C4 5 9 5 14 0', size), 2, 'rgb(255 255 255 / 75%)');

/** A leaf or blade from a root, bent by `lean`. */
function blade(x: number, height: number, width: number, lean: number, fill: string): Part {
  const t = 46 - height;
  return part(
    `M${r(x - width)} 47C${r(x - width - lean)} ${r(47 - height * 0.4)} ${r(x + lean * 1.4 - width)} ${r(47 - height * 0.7)} ${r(x + lean)} ${r(t)}C${r(x + lean * 1.4 + width)} ${r(47 - height * 0.65)} ${r(x + width - lean)} ${r(47 - height * 0.35)} ${r(x + width)} 47Z`,
    fill,
    1.5,
  );
}

/** A leaf with waved rims. */
function tongue(x: number, height: number, lean: number, fill: string): Part[] {
  const left: { x: number; y: number }[] = [];
  const right: { x: number; y: number }[] = [];
  const n = 7;
  for (let i = 0; i <= n; i++) {
    const t = i / n;
    const mid = x + lean * t * t;
    const width = (2 + 9 * Math.sin(Math.PI * Math.min(1, t * 0.86 + 0.08))) * (i % 2 ? 1.18 : 0.82);
    left.push({ x: mid - width, y: 47 - height * t });
    right.unshift({ x: mid + width, y: 47 - height * t });
  }
  return [
    part(smooth([...left, { x: x + lean * 1.05, y: 43 - height }, ...right]), fill, 1.6),
    stroke(
      `M${r(x)} 46C${r(x)} ${r(47 - height * 0.4)} ${r(x + lean * 0.4)} ${r(47 - height * 0.7)} ${r(x + lean * 0.9)} ${r(50 - height)}`,
      1.3,
      'rgb(36 50 59 / 55%)',
    ),
  ];
}

const one = (motion: Motion, parts: Part[]): Figure[] => [{ motion, parts }];

const CHIP = 'M-14 -6C-8 -12 6 -13 13 -7C16 0 9 8 -2 9C-11 9 -17 2 -14 -6Z';

const starfish: Part[] = [
  part(
    'M0 -40C6 -36 9 -24 13 -15C22 -14 36 -14 40 -8C40 -1 28 8 22 14C24 24 28 36 22 41C15 42 7 33 0 28C-7 33 -15 42 -22 41C-28 36 -24 24 -22 14C-28 8 -40 -1 -40 -8C-36 -14 -22 -14 -13 -15C-9 -24 -6 -36 0 -40Z',
    '#f0b27a',
    2,
  ),
  ...[0, 1, 2, 3, 4].flatMap((i) => {
    const a = (i * 72 - 90) * (Math.PI / 180);
    return [10, 18, 26].map((d, j) => part(round(d * Math.cos(a), 2 + d * Math.sin(a), 2.6 - j * 0.5), '#fbe3bb', 1));
  }),
  part(round(0, 2, 4), RED, 1.2),
];

const PICTURES: Record<string, Figure[]> = {
  // --- fish ---
  Clownfish: one(
    'drift',
    fish({
      long: 34,
      high: 19,
      body: ORANGE,
      fin: '#f0ad62',
      tail: 'fan',
      marks: [
        part('M-19 -14.500C-15 -6 -15 8 -19 15.500L-12 17.500C-7 8 -7 -6 -11 -17.500Z', CREAM, 1.5),
        part('M3 -17.500C7 -8 7 8 2 17.300L9 14.500C13 6 13 -6 10 -14Z', CREAM, 1.5),
      ],
    }),
  ),
  Anthias: [
    {
      motion: 'drift',
      parts: [
        ...fish({ long: 18, high: 8, body: '#f3b58c', fin: '#e88ca3', tail: 'lyre', x: 14, y: -27 }),
        ...fish({
          long: 30,
          high: 14,
          body: '#ee9fb6',
          fin: VIOLET,
          tail: 'lyre',
          x: -6,
          y: 10,
          marks: [
            part('M-27 4C-18 9 0 14 18 2C6 15 -14 16 -27 4Z', YELLOW, 0),
            stroke('M-14 -3C-4 -6 6 -5 14 -1', 1.4, ROSE),
          ],
        }),
      ],
    },
  ],
  'Clown Goby': [
    {
      motion: 'still',
      parts: [
        stroke('M-46 42C-24 36 -6 26 10 24C24 22 36 26 48 18', 9, INK),
        stroke('M-46 42C-24 36 -6 26 10 24C24 22 36 26 48 18', 5.8, PINK),
        stroke('M12 24C18 12 26 8 32 -4M-24 36C-28 28 -36 24 -40 16', 8, INK),
        stroke('M12 24C18 12 26 8 32 -4M-24 36C-28 28 -36 24 -40 16', 5, PINK),
      ],
    },
    {
      motion: 'breathe',
      parts: fish({
        long: 26,
        high: 18,
        body: YELLOW,
        fin: '#f0bd55',
        tail: 'fan',
        x: -4,
        y: 0,
        marks: [stroke('M-17 -10C-15 -4 -16 2 -19 6M-11 -14C-9 -8 -10 -2 -12 3', 1.8, TEAL)],
      }),
    },
  ],
  Cardinalfish: one(
    'drift',
    fish({
      long: 32,
      high: 18,
      body: '#dfe4e2',
      fin: '#5a6670',
      tail: 'lyre',
      marks: [
        part('M-24 -10C-21 -4 -21 6 -24 12L-19 15C-15 6 -15 -6 -19 -14Z', '#4a545e', 0),
        part('M-6 -18.500C-2 -8 -2 8 -6 18.500L0 18C4 8 4 -8 0 -18Z', '#4a545e', 0),
        part('M10 -14C12 -6 12 6 9 14L14 11C16 5 16 -5 14 -11Z', '#4a545e', 0),
        ...[-10, -2.5, 6].flatMap((x) => [-7, 9].map((y) => part(round(x + 2, y, 1.5), CREAM, 0))),
      ],
    }),
  ),
  'Moray Eel': one('drift', [
    part(
      'M-42 -20C-34 -34 -14 -34 -4 -22C6 -10 0 2 10 6C22 10 28 -4 38 -8C44 -10 48 -4 46 4C42 22 22 34 4 26C-14 18 -8 -2 -18 -8C-24 -11 -32 -8 -38 -8Z',
      PINE,
      2,
    ),
    part(
      'M-2 -22C8 -12 4 0 12 4C22 8 28 -6 38 -10C44 -14 50 -8 47 0C45 -4 42 -5 38 -3C28 2 20 14 8 10C-2 6 2 -8 -6 -16Z',
      LIME,
      1.4,
    ),
    part('M-42 -20C-36 -18 -30 -18 -24 -20C-30 -14 -34 -11 -38 -8C-46 -8 -48 -14 -42 -20Z', ROSE, 1.6),
    stroke('M-38 -19.500L-36.500 -16L-35 -19.200M-36 -9.500L-34.500 -13L-32.500 -11', 1.3),
    ...[
      [-14, -24],
      [-12, -13],
      [-2, -8],
      [1, 6],
      [8, 16],
      [20, 18],
      [30, 8],
      [-3, 14],
    ].map(([x = 0, y = 0]) => part(round(x, y, 2.4, 2), '#3f6d4c', 0)),
    ...eye(-27, -26, 3.2),
    part('M-50 40C-36 30 -24 36 -14 32C2 26 14 38 28 34C38 30 46 36 50 40L50 50L-50 50Z', STONE, 1.8),
  ]),
  Seahorse: one('drift', [
    part(
      'M8 -22C20 -14 24 0 18 10C12 20 2 22 2 30C2 36 10 37 11 32C11 29 8 28 6 30C8 26 15 27 16 33C16 42 2 46 -5 38C-12 30 -4 18 -4 8C-4 0 -12 -4 -10 -14C-10 -20 -6 -26 0 -27Z',
      YELLOW,
      2,
    ),
    part('M18 -6C28 -8 33 0 30 8C26 6 22 6 18 8C20 3 20 -2 18 -6Z', ORANGE, 1.5),
    part(
      'M-12 -30C-22 -30 -30 -27 -36 -25C-38 -22 -37 -19 -34 -18C-28 -17 -20 -17 -12 -14C-2 -8 12 -14 12 -26C12 -38 -4 -42 -12 -30Z',
      YELLOW,
      2,
    ),
    part('M0 -37L3 -46L7 -38L14 -43L13 -33L20 -32L13 -26', ORANGE, 1.5),
    ...[-12, -5, 2, 9, 16].map((y, i) =>
      stroke(`M${-8 + i} ${y}C${0 + i} ${y + 4} ${8 + i} ${y + 3} ${15 - i * 1.5} ${y - 1}`, 1.3, '#b98a30'),
    ),
    ...eye(-8, -27, 3.4),
  ]),
  Triggerfish: one(
    'drift',
    fish({
      long: 34,
      high: 22,
      body: '#4f6a86',
      fin: YELLOW,
      tail: 'fan',
      marks: [
        part('M-34 2C-30 -4 -26 -8 -24 -12C-20 -4 -20 8 -24 14C-29 10 -32 6 -34 2Z', ORANGE, 1.4),
        ...[
          [-8, 12, 4.5],
          [3, 13, 4],
          [12, 8, 3.2],
          [-14, 5, 3.4],
          [1, 3, 3],
        ].map(([x = 0, y = 0, s = 0]) => part(round(x, y, s), CREAM, 0)),
        stroke('M-8 -14C0 -16 8 -13 14 -8', 2.2, YELLOW),
      ],
    }),
  ),
  // --- crustaceans ---
  'Brine Shrimp': one('drift', [
    ...[0, 1, 2].flatMap((i) => {
      const x = [-14, 18, -6][i] ?? 0;
      const y = [-24, 0, 25][i] ?? 0;
      return [
        ...[-10, -5, 0, 5].map((dx) =>
          stroke(
            `M${x + dx} ${y + 3}L${x + dx - 4} ${y + 13}M${x + dx} ${y - 2}L${x + dx - 4} ${y - 11}`,
            1.7,
            '#c9754f',
          ),
        ),
        part(moved(x, y, 'M-19 0C-16 -6 -4 -7 6 -3C14 -1 20 0 27 -4C26 2 22 5 14 4C6 5 -14 7 -19 0Z'), '#f6c3a1', 1.6),
        stroke(
          `M${x + 26} ${y - 3}L${x + 31} ${y - 8}M${x + 26} ${y - 3}L${x + 32} ${y}M${x - 18} ${y - 2}L${x - 25} ${y - 9}`,
          1.5,
        ),
        part(round(x - 14, y - 1, 2), INK, 0),
      ];
    }),
  ]),
  'Peppermint Shrimp': one('drift', shrimp('#fbe6d8', RED, '#c65847')),
  'Harlequin Shrimp': one(
    'drift',
    shrimp('#fdf0e4', '#9fb4dd', '#8b79b5', [
      part(round(-22, -9, 3.6), '#b495c8', 1),
      part(round(-12, -2, 3), '#9fb4dd', 1),
      part('M-34 6C-46 4 -50 14 -46 22C-42 32 -30 34 -25 26C-22 18 -26 9 -34 6Z', '#fdf0e4', 1.8),
      part(round(-40, 15, 4), '#b495c8', 1),
      part(round(-32, 23, 4.5), '#9fb4dd', 1),
      part('M-12 8C-20 10 -22 20 -17 28C-12 35 -2 32 -1 23C0 15 -5 8 -12 8Z', '#fdf0e4', 1.8),
      part(round(-12, 16, 3.6), '#9fb4dd', 1),
      part(round(-9, 25, 3.6), '#b495c8', 1),
    ]),
  ),
  'Hermit Crab': one('breathe', [
    ...[-20, -10, 2].map((x) => stroke(`M${x} 22C${x - 6} 26 ${x - 12} 32 ${x - 16} 42`, 6, INK)),
    ...[-20, -10, 2].map((x) => stroke(`M${x} 22C${x - 6} 26 ${x - 12} 32 ${x - 16} 42`, 3, RED)),
    part('M-24 26C-30 4 -10 -28 22 -30C34 -28 44 -18 46 -2C46 18 30 32 6 32C-6 32 -18 30 -24 26Z', SAND, 2),
    part('M4 -24C16 -14 24 6 20 31C32 28 44 18 46 -2C44 -18 34 -28 22 -30C16 -29 10 -27 4 -24Z', '#e3bf8d', 1.5),
    stroke('M-14 -8C-2 0 6 14 4 31M20 -29C32 -20 40 -4 40 14', 1.5),
    stroke('M32 -24C42 -22 46 -14 42 -8C38 -4 32 -8 34 -13', 1.6),
    part('M-14 18C-24 8 -36 8 -40 18C-36 20 -34 23 -34 26C-28 32 -18 32 -14 26Z', RED, 1.8),
    part('M-40 18C-48 16 -50 24 -46 30C-42 34 -36 32 -34 26C-37 27 -40 26 -42 24C-38 24 -36 22 -40 18Z', RED, 1.8),
    stroke('M-22 14L-26 2M-16 14L-15 0', 1.8),
    ...eye(-26, 0, 3.2),
    ...eye(-15, -2, 3.2),
  ]),
  // --- gravel ---
  Gravel: one('still', pebbles([GREY, '#cfc5ae', '#a9aca5', '#d8cfbc'], 11)),
  'Pink Gravel': one('still', pebbles([PINK, '#f6c6cb', ROSE, '#e8b3c9'], 23)),
  'Rainbow Gravel': one('still', pebbles(HUES, 41)),
  'Neon Gravel': one('still', [
    part('M-50 2C-30 -10 -10 -4 4 -8C22 -12 36 -4 50 -6L50 50L-50 50Z', '#2e4a63', 0),
    ...pebbles(['#6ff0c1', '#f46fb8', '#fff06a', '#5fd0ff', '#2e4a63'], 57),
    stroke('M-32 -16L-32 -24M-36 -20L-28 -20M14 -18L14 -28M9 -23L19 -23M36 -12L36 -18M33 -15L39 -15', 1.8, '#fff6a8'),
  ]),
  'Shell Gravel': one('still', [
    ...pebbles([SAND, '#e9cfae', '#f3e6c8', '#d9c3a0'], 73, 6),
    part('M-24 14C-44 8 -46 -14 -34 -24C-24 -32 -8 -28 -4 -16C0 -2 -12 8 -18 14L-17 19L-26 19Z', '#f7cdb7', 2),
    stroke('M-22 14C-28 2 -32 -10 -32 -22M-21 14C-22 0 -22 -14 -21 -27M-20 14C-14 4 -10 -6 -8 -20', 1.4, '#b9715b'),
    part('M10 18C2 8 6 -8 18 -16C26 -22 34 -22 40 -28C40 -14 42 2 32 13C26 20 16 22 10 18Z', CREAM, 2),
    stroke('M8 6C16 10 24 10 33 11M12 -6C20 -2 28 -3 38 -2M21 -16C26 -13 32 -13 39 -14', 1.4, BROWN),
  ]),
  // --- coral ---
  'Cabbage Coral': one('breathe', [
    part('M-8 48C-12 38 -10 30 -4 24L8 24C12 32 12 40 8 48Z', '#a8a07c', 1.8),
    part(
      'M-46 12C-50 0 -40 -10 -30 -8C-28 -20 -14 -24 -6 -18C2 -28 18 -26 22 -16C34 -20 46 -10 44 2C50 10 44 22 34 22C28 32 8 32 0 28C-12 34 -30 30 -34 22C-42 22 -47 18 -46 12Z',
      '#9fc08a',
      2,
    ),
    part(
      'M-32 8C-36 -2 -26 -8 -20 -6C-16 -14 -4 -14 0 -8C8 -16 20 -12 22 -4C32 -4 36 6 30 12C22 22 -24 22 -32 8Z',
      '#c3d79b',
      1.7,
    ),
    part('M-16 8C-18 0 -10 -4 -6 -2C-2 -8 8 -6 9 0C16 0 18 8 13 11C6 16 -12 15 -16 8Z', '#e0e8b8', 1.5),
    stroke('M-38 10C-36 4 -34 2 -30 0M36 10C38 4 36 0 33 -4M-4 6C-2 4 2 4 4 6', 1.4, '#6d8f63'),
  ]),
  'Sun Coral': one('breathe', [
    ...[
      [-26, 20, 14, 30],
      [24, 22, 14, 28],
      [0, 4, 16, 44],
      [-12, 30, 11, 20],
      [13, 34, 11, 16],
    ].flatMap(([x = 0, y = 0, w = 0, h = 0]) => [
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
        const a = (i / 7) * Math.PI + Math.PI;
        return stroke(
          `M${r(x + w * 0.55 * Math.cos(a))} ${r(y - 3)}C${r(x + w * 0.9 * Math.cos(a))} ${r(y - 8)} ${r(x + w * 1.1 * Math.cos(a))} ${r(y - 8 + 12 * Math.sin(a))} ${r(x + w * 1.25 * Math.cos(a))} ${r(y - 4 + 15 * Math.sin(a))}`,
          3.4,
          YELLOW,
        );
      }),
      part(
        `M${x - w * 0.75} ${y}C${x - w * 0.7} ${y + h * 0.4} ${x - w * 0.8} ${y + h * 0.7} ${x - w * 0.7} 48L${x + w * 0.7} 48C${x + w * 0.8} ${y + h * 0.7} ${x + w * 0.7} ${y + h * 0.4} ${x + w * 0.75} ${y}Z`,
        ORANGE,
        1.8,
      ),
      part(round(x, y, w * 0.76, 5), '#e07f3a', 1.6),
      part(round(x, y, w * 0.3, 2), '#a3511f', 0),
    ]),
  ]),
  'Dented Brain Coral': one('breathe', [
    part('M-44 46C-50 14 -34 -22 0 -24C32 -24 50 10 44 46Z', '#d9a3a8', 2),
    stroke(
      'M-34 42C-40 26 -34 12 -26 16C-18 20 -28 30 -20 32C-10 34 -16 14 -24 4C-30 -6 -14 -16 -10 -6C-6 4 -8 14 0 16C8 18 8 6 2 -2C-4 -12 8 -20 16 -12C24 -4 12 4 18 12C24 20 32 8 28 0M-8 44C-10 34 -4 26 4 28C12 30 8 40 16 42C26 42 18 28 26 26C36 24 38 34 36 44',
      5.4,
      '#9a5f6d',
    ),
    stroke(
      'M-34 42C-40 26 -34 12 -26 16C-18 20 -28 30 -20 32C-10 34 -16 14 -24 4C-30 -6 -14 -16 -10 -6C-6 4 -8 14 0 16C8 18 8 6 2 -2C-4 -12 8 -20 16 -12C24 -4 12 4 18 12C24 20 32 8 28 0M-8 44C-10 34 -4 26 4 28C12 30 8 40 16 42C26 42 18 28 26 26C36 24 38 34 36 44',
      2.8,
      '#c6dba5',
    ),
  ]),
  // --- water ---
  Water: one('still', [wave(-22, -28), wave(18, -10), wave(-20, 12), wave(20, 32)]),
  'Bubbly Water': [
    { motion: 'still', parts: [wave(24, -34, 0.8), wave(-28, 34, 0.8)] },
    {
      motion: 'rise',
      parts: [
        [-24, 18, 13],
        [10, 26, 9],
        [22, -2, 15],
        [-12, -18, 10],
        [-36, -10, 6],
        [8, -34, 7],
        [36, 30, 6],
        [-4, 6, 5],
        [36, -30, 5],
      ].flatMap(([x = 0, y = 0, s = 0]) => bubble(x, y, s)),
    },
  ],
  'Bubble Jet': [
    {
      motion: 'rise',
      parts: [
        [0, 14, 6],
        [-6, 0, 7],
        [8, -8, 8],
        [-9, -18, 9],
        [7, -28, 10],
        [-14, -36, 7],
        [22, -18, 5],
        [-24, -4, 5],
        [20, -40, 6],
      ].flatMap(([x = 0, y = 0, s = 0]) => bubble(x, y, s)),
    },
    {
      motion: 'still',
      parts: [
        part('M-34 48C-34 38 -24 34 -16 35L-12 24L12 24L16 35C26 34 34 38 34 48Z', STONE, 2),
        part('M-15 27L15 27L13 20L-13 20Z', '#5d6b73', 1.8),
        stroke('M-24 42L24 42', 1.4, '#dfe6e6'),
      ],
    },
  ],
  'Flowing Water': one('drift', [
    stroke('M-46 -14C-28 -34 -8 -32 4 -18C14 -6 30 -6 46 -20', 11, 'rgb(255 255 255 / 34%)'),
    stroke('M-46 22C-26 4 -8 4 6 18C18 30 34 28 46 14', 11, 'rgb(255 255 255 / 34%)'),
    stroke('M-46 -14C-28 -34 -8 -32 4 -18C14 -6 30 -6 46 -20', 2.2, 'var(--water-ink)'),
    stroke(
      'M-46 4C-28 -14 -10 -14 4 0C16 12 32 12 46 -2M-46 22C-26 4 -8 4 6 18C18 30 34 28 46 14',
      2.2,
      'var(--water-ink)',
    ),
    stroke(
      'M28 26C36 34 30 42 22 38C18 35 22 30 26 32M-30 -30C-38 -38 -30 -46 -24 -41C-21 -37 -25 -34 -28 -36',
      1.9,
      'var(--water-ink)',
    ),
  ]),
  // --- decor ---
  'Skull Cave': one('still', [
    part(
      'M-38 2C-40 -26 -18 -42 2 -42C26 -42 42 -24 38 2C37 12 30 16 28 22L28 46L-28 46L-28 22C-30 16 -37 12 -38 2Z',
      '#ded8c6',
      2,
    ),
    part('M-26 -6C-26 -18 -8 -20 -6 -8C-5 4 -12 8 -18 7C-24 6 -26 2 -26 -6Z', '#33434d', 1.8),
    part('M26 -6C26 -18 8 -20 6 -8C5 4 12 8 18 7C24 6 26 2 26 -6Z', '#33434d', 1.8),
    part('M0 4L-6 16L6 16Z', '#33434d', 1.5),
    part('M-18 46C-18 32 -12 26 0 26C12 26 18 32 18 46Z', '#33434d', 1.8),
    stroke('M-10 27L-10 33M0 26L0 32M10 27L10 33', 2.6, '#ded8c6'),
    stroke('M-30 -16C-28 -24 -22 -30 -16 -32M20 -34L14 -26L20 -22L15 -17', 1.5),
    part('M-50 50C-46 36 -36 38 -32 44C-28 40 -22 42 -20 50ZM20 50C24 40 34 40 36 44C42 38 50 42 50 50Z', PINE, 1.6),
  ]),
  'Sunken Ship': one('still', [
    stroke('M-10 0L-18 -44', 4.6, INK),
    stroke('M-10 0L-18 -44', 2, BROWN),
    stroke('M18 4L22 -30', 4.6, INK),
    stroke('M18 4L22 -30', 2, BROWN),
    part('M-17 -38C-2 -38 8 -32 14 -24C6 -18 0 -14 -2 -8L-12 -10Z', CREAM, 1.7),
    stroke('M-4 -30C-2 -26 -4 -22 -2 -18', 1.3),
    part('M-48 -8L-36 -6C-20 2 10 6 34 0L48 -10C46 14 36 34 20 40L-22 38C-38 30 -46 10 -48 -8Z', BROWN, 2),
    stroke('M-45 6C-20 18 16 20 44 6M-40 20C-18 28 14 30 36 22', 1.5, '#6f4f36'),
    part('M-20 16C-12 14 -6 20 -8 27C-16 30 -22 26 -20 16Z', '#3b2b22', 1.5),
    part(round(18, 16, 4), '#3b2b22', 1.5),
    part('M-50 50C-40 34 -28 40 -18 38C0 34 14 42 28 37C38 34 46 40 50 44L50 50Z', SAND, 1.8),
  ]),
  Driftwood: one('still', [
    part(
      'M-48 40C-40 26 -28 24 -20 12C-26 2 -34 -2 -38 -14L-32 -16C-26 -6 -18 -2 -12 4C-4 -10 2 -24 0 -42L8 -42C12 -26 8 -12 4 -2C14 -10 22 -14 28 -26L34 -22C30 -8 18 2 10 14C20 22 36 26 48 40C30 46 -28 47 -48 40Z',
      BROWN,
      2,
    ),
    stroke('M-30 38C-20 30 -12 22 -4 10C0 2 4 -12 4 -30M30 38C18 32 8 26 4 18M-14 38C-8 34 -4 30 0 24', 1.5, BARK),
    part(round(-10, 32, 4, 3), '#d2ad84', 1.4),
    part('M-40 -15C-48 -20 -46 -28 -38 -28C-33 -27 -32 -20 -34 -16Z', GREEN, 1.5),
    part('M30 -25C28 -33 36 -38 42 -33C44 -28 39 -23 34 -22Z', GREEN, 1.5),
  ]),
  'Treasure Chest': one('still', [
    ...[
      [-18, -8],
      [-4, -12],
      [10, -9],
      [20, -4],
      [-10, -3],
      [4, -2],
    ].map(([x = 0, y = 0]) => part(round(x, y, 6.5, 5.5), YELLOW, 1.6)),
    part('M18 -14L24 -22L30 -14L24 -6Z', TEAL, 1.5),
    part(round(-26, -2, 4), '#f3f0ea', 1.4),
    part('M-40 -2C-42 -26 -34 -40 -24 -42L30 -40C38 -34 42 -18 40 -2L32 -10C20 -18 -22 -18 -32 -10Z', BROWN, 2),
    stroke('M-24 -42C-30 -34 -33 -22 -32 -10M30 -40C35 -32 35 -20 32 -10', 2.2, '#c9a04e'),
    part('M-40 2L40 2L36 42L-36 42Z', '#a0724c', 2),
    part('M-26 2L-18 2L-16 42L-24 42ZM18 2L26 2L24 42L16 42Z', '#d9b461', 1.5),
    part('M-7 4L7 4L6 18L-6 18Z', '#d9b461', 1.6),
    part(round(0, 10, 2.2), INK, 0),
  ]),
  Diver: [
    { motion: 'rise', parts: [...bubble(30, -30, 5), ...bubble(37, -14, 3.5), ...bubble(26, -42, 3.2)] },
    {
      motion: 'drift',
      parts: [
        stroke('M6 -34C16 -48 30 -44 34 -50', 2.6, '#7c5b41'),
        part('M-26 46C-30 24 -26 8 -18 4L18 4C26 8 30 24 26 46L10 46L2 30L-2 30L-10 46Z', '#c9b48d', 2),
        part(
          'M-24 8C-36 14 -40 26 -36 34C-32 37 -28 34 -27 30ZM24 8C36 14 40 26 36 34C32 37 28 34 27 30Z',
          '#c9b48d',
          2,
        ),
        part('M-24 4C-20 -4 20 -4 24 4C20 14 -20 14 -24 4Z', '#c58a45', 1.8),
        part(round(0, -17, 20, 19), '#dca458', 2),
        part(round(-2, -16, 11), SKY, 2.2),
        stroke('M-9 -19C-8 -23 -5 -25 -2 -25M-13 -16L9 -16M-2 -27L-2 -5', 1.3),
        part(round(17, -17, 4, 5), '#c58a45', 1.5),
        ...[
          [-16, 4],
          [-6, 8],
          [6, 8],
          [16, 4],
        ].map(([x = 0, y = 0]) => part(round(x, y, 1.7), INK, 0)),
      ],
    },
  ],
  // --- plants ---
  'Manatee Grass': one(
    'sway',
    [
      [-36, 58, -6],
      [-26, 80, 5],
      [-17, 62, -5],
      [-8, 90, 6],
      [1, 70, -6],
      [10, 86, -4],
      [19, 60, 7],
      [28, 78, 5],
      [37, 56, 6],
    ].map(([x = 0, h = 0, lean = 0], i) => blade(x, h, 3.4, lean, [GREEN, PINE, LIME][i % 3] ?? GREEN)),
  ),
  'Spaghetti Algae': one(
    'sway',
    [
      'M-24 46C-44 26 -12 14 -30 -2C-44 -16 -20 -34 -28 -42',
      'M-12 46C-26 26 6 14 -10 -4C-22 -18 4 -28 -6 -42',
      'M2 46C20 30 -10 16 8 2C24 -10 0 -26 14 -40',
      'M14 46C38 32 14 18 28 2C40 -12 20 -24 34 -36',
      'M26 46C46 34 30 22 42 12',
      'M-34 46C-48 34 -36 22 -44 10',
    ].flatMap((d, i) => [stroke(d, 7.4, INK), stroke(d, 4.2, [LIME, GREEN, '#d9d987', PINE][i % 4] ?? LIME)]),
  ),
  "Mermaid's Fan": one('sway', [
    stroke('M0 48C2 38 -2 30 0 20', 7.4, INK),
    stroke('M0 48C2 38 -2 30 0 20', 4, PINE),
    part(
      'M0 24C-20 24 -46 10 -44 -12C-42 -22 -34 -24 -28 -20C-26 -34 -12 -40 -2 -32C8 -42 24 -36 26 -22C34 -26 44 -20 44 -10C44 12 20 24 0 24Z',
      '#a8c9a0',
      2,
    ),
    stroke(
      'M0 22C-14 14 -28 4 -36 -12M0 22C-8 8 -16 -8 -18 -26M0 22C0 6 0 -12 -1 -28M0 22C8 8 16 -8 18 -24M0 22C14 14 28 4 36 -10',
      1.5,
      '#5d8f67',
    ),
    stroke('M-36 4C-20 -6 20 -6 36 4M-40 -10C-20 -18 22 -18 40 -8', 1.3, '#7fae83'),
  ]),
  Mangrove: one('sway', [
    ...[
      'M0 6C-12 14 -24 26 -28 48',
      'M0 6C-22 8 -40 24 -44 48',
      'M0 6C-4 20 -10 34 -10 48',
      'M0 6C6 20 10 34 10 48',
      'M0 6C14 12 24 28 28 48',
      'M0 6C24 8 40 24 45 48',
    ].flatMap((d) => [stroke(d, 6.4, INK), stroke(d, 3.2, BROWN)]),
    stroke('M0 10C2 0 -2 -8 0 -18', 9, INK),
    stroke('M0 10C2 0 -2 -8 0 -18', 5.6, BROWN),
    ...[
      [-26, -20, GREEN],
      [24, -22, PINE],
      [-10, -36, PINE],
      [12, -38, GREEN],
      [-34, -6, PINE],
      [34, -8, GREEN],
      [0, -22, LIME],
    ].map(([x, y, fill]) => part(moved(Number(x), Number(y), CHIP), String(fill), 1.7)),
  ]),
  "Dragon's Tongue Algae": one('sway', [
    ...tongue(-26, 66, -10, '#c65a62'),
    ...tongue(27, 62, 10, ROSE),
    ...tongue(12, 84, 5, '#cf6a6a'),
    ...tongue(-7, 88, -4, RED),
  ]),
  // --- starfish ---
  'Asterina Starfish': one('breathe', starfish),
};

const FAMILY: Record<CardType, string> = {
  fish: 'Clownfish',
  crustacean: 'Peppermint Shrimp',
  gravel: 'Gravel',
  coral: 'Cabbage Coral',
  water: 'Water',
  decor: 'Treasure Chest',
  plant: 'Manatee Grass',
  starfish: 'Asterina Starfish',
};

export const PAINTED = Object.keys(PICTURES);

export function picture(name: string, type: CardType): Figure[] {
  return PICTURES[name] ?? PICTURES[FAMILY[type]] ?? [];
}

/** Every type has its own tint on the card's rim, and a sign for those who do not see the colour. */
export const TYPES: Record<CardType, { tint: string; sign: string }> = {
  fish: { tint: '#f2b36b', sign: 'M-6 0C-3 -5 3 -5 6 0L9 -3L9 3L6 0C3 5 -3 5 -6 0Z' },
  crustacean: { tint: '#e58a76', sign: 'M-5 5C-9 -1 -6 -7 0 -7L-1 -3L3 -6C6 -1 2 5 -5 5Z' },
  gravel: { tint: '#c9bda3', sign: 'M-7 4C-7 0 -2 0 -2 4ZM2 4C2 0 7 0 7 4ZM-3 -1C-3 -5 3 -5 3 -1Z' },
  coral: { tint: '#e9a3b0', sign: 'M-1 6L-1 1L-5 -2L-5 -6M0 1L0 -7M1 6L1 1L5 -1L5 -5' },
  water: { tint: '#8cc0d4', sign: 'M0 -7C4 -2 5 0 5 2C5 5 3 7 0 7C-3 7 -5 5 -5 2C-5 0 -4 -2 0 -7Z' },
  decor: { tint: '#c29a73', sign: 'M-6 6L-6 -1L0 -7L6 -1L6 6Z' },
  plant: { tint: '#9cc088', sign: 'M0 7C0 2 -6 2 -6 -5C-1 -5 0 -2 0 1C0 -3 2 -6 6 -6C6 0 0 2 0 7Z' },
  starfish: { tint: '#f3cf63', sign: 'M0 -7L2 -2L7 -2L3 1L5 7L0 3L-5 7L-3 1L-7 -2L-2 -2Z' },
};
