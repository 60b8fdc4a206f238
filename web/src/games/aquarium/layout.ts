/** Where tanks and their spaces are, and how the words are arranged on a card. My tank is large; the others are smaller, beside it or below. */
import type { Box, Point } from '../../lib/board/geometry';
import { handDrawnOutline } from '../../lib/board/handDrawn';
import { withMinusSigns } from '../../lib/text';

/** The distance between cards, and the size of a card. */
export const PITCH = { x: 120, y: 132 };
export const CARD = { width: 113, height: 125 };
const RIM = 15;
const HEAD = 34;
export const TANK = { width: 3 * PITCH.x + 2 * RIM, height: 3 * PITCH.y + 2 * RIM + HEAD };
const GAP = 26;

export interface TankPlace extends Point {
  seat: number;
  scale: number;
}

export const SPACE_SHAPE = handDrawnOutline(
  [
    { x: -CARD.width / 2, y: -CARD.height / 2 },
    { x: CARD.width / 2, y: -CARD.height / 2 },
    { x: CARD.width / 2, y: CARD.height / 2 },
    { x: -CARD.width / 2, y: CARD.height / 2 },
  ],
  0.8,
);

/** The tanks by their upper left corners, mine first. */
export function tanks(seats: number, mine: number, portrait: boolean): TankPlace[] {
  const others = Array.from({ length: seats - 1 }, (_, i) => (mine + 1 + i) % seats);
  const found: TankPlace[] = [{ seat: mine, x: 0, y: 0, scale: 1 }];
  if (portrait) {
    // In a row below mine; the lower right corner is left free for the zoom button.
    const scale = others.length > 2 ? 0.285 : others.length > 1 ? 0.37 : 0.42;
    const step = TANK.width * scale + (others.length > 2 ? 8 : GAP * 0.6);
    const left = others.length > 1 ? 0 : (TANK.width - TANK.width * scale) / 2;
    others.forEach((seat, i) => found.push({ seat, x: left + i * step, y: TANK.height + 6, scale }));
    return found;
  }
  const right = TANK.width + GAP * 1.4;
  if (others.length === 1) {
    const scale = 0.86;
    found.push({ seat: others[0] ?? 0, x: right, y: TANK.height * (1 - scale), scale });
  } else if (others.length === 2) {
    const scale = 0.62;
    others.forEach((seat, i) =>
      found.push({ seat, x: right + i * (TANK.width * scale + GAP), y: TANK.height * (1 - scale), scale }),
    );
  } else {
    const scale = 0.485;
    const step = TANK.width * scale + GAP;
    others.forEach((seat, i) =>
      found.push({
        seat,
        x: right + (i < 2 ? i * step : step / 2),
        y: i < 2 ? 0 : TANK.height * (1 - scale),
        scale,
      }),
    );
  }
  return found;
}

/** The middle of a space in a tank's own coordinates. */
export function spot(space: number): Point {
  return {
    x: RIM + PITCH.x * ((space % 3) + 0.5),
    y: RIM + HEAD + PITCH.y * (Math.floor(space / 3) + 0.5),
  };
}

export function onBoard(tank: TankPlace, space: number): Point {
  const at = spot(space);
  return { x: tank.x + at.x * tank.scale, y: tank.y + at.y * tank.scale };
}

export function frameOf(places: readonly TankPlace[], portrait: boolean): Box {
  const width = Math.max(...places.map((tank) => tank.x + TANK.width * tank.scale));
  const height = Math.max(...places.map((tank) => tank.y + TANK.height * tank.scale));
  if (portrait) return { x: -8, y: -4, width: width + 16, height: height + 8 };
  return { x: -12, y: -8, width: width + (places.length > 1 ? 74 : 24), height: height + 20 };
}

// --- words on a card --------------------------------------------------------------------------------------------------

/** The smallest text, in pixels. */
const LEAST = 11.2;
const WIDE = CARD.width - 7;
const NAME_EM = 0.57;
const TEXT_EM = 0.52;
/** At this many pixels for each unit or more, every card shows its text. */
export const ROOMY = 0.95;

export interface Words {
  size: number;
  lines: { text: string; squeezed: boolean }[];
}
export interface CardFace {
  name: Words;
  text: Words;
  /** The height of the band below them. */
  band: number;
}

/** A bonus text, shortened for a card; the inspector shows all of it. */
export const shortText = (text: string): string =>
  withMinusSigns(text)
    .replaceAll('in the aquarium', 'in the tank')
    .replace(/\bif there is an? /g, 'if ');

/** Splits a name into two lines of about the same length. */
function halves(name: string): string[] {
  const gaps = [...name.matchAll(/ /g)].map((match) => match.index);
  const middle = gaps.sort((a, b) => Math.abs(a - name.length / 2) - Math.abs(b - name.length / 2))[0];
  return middle === undefined ? [name] : [name.slice(0, middle), name.slice(middle + 1)];
}

function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function nameOf(name: string, unit: number): Words {
  const least = Math.max(LEAST / unit, 10.5);
  const ideal = Math.max(14, least);
  const fits = (text: string) => WIDE / (text.length * NAME_EM);
  const lines = fits(name) >= least ? [name] : halves(name);
  const size = Math.max(least, Math.min(ideal, ...lines.map(fits)));
  return { size, lines: lines.map((text) => ({ text, squeezed: fits(text) < size - 0.1 })) };
}

/** Arranges name and text on a card. `unit`: the pixels on the screen for each unit of the card. */
export function faceOf(name: string, text: string, unit: number): CardFace {
  const title = nameOf(name, unit);
  const high = (words: Words) => words.lines.length * words.size * 1.08;
  const size = Math.max(9.6, LEAST / unit);
  let lines = unit >= ROOMY && text ? wrapped(shortText(text), Math.floor(WIDE / (size * TEXT_EM))) : [];
  const most = title.lines.length > 1 ? 2 : 3;
  if (lines.length > most) lines = [...lines.slice(0, most - 1), `${lines[most - 1] ?? ''}…`];
  const words: Words = {
    size,
    lines: lines.map((line) => ({ text: line, squeezed: line.length * size * TEXT_EM > WIDE })),
  };
  return { name: title, text: words, band: Math.round(high(title) + high(words) + (lines.length ? 7 : 9)) };
}
