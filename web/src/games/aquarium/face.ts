/** What stands on a card, and how large: never so small that one cannot read it. */
import { minus } from '../../lib/words';
import { CARD } from './layout';

/** Below so many pixels nothing is written. */
const LEAST = 11.2;
const WIDE = CARD.width - 7;
const NAME_EM = 0.57;
const TEXT_EM = 0.52;
/** From so many pixels to a unit on, there is room for the text of every card. */
export const ROOMY = 0.95;

export interface Words {
  size: number;
  lines: { text: string; squeezed: boolean }[];
}
export interface CardFace {
  name: Words;
  text: Words;
  /** The height of the band that they stand on. */
  band: number;
}

/** A text as it fits on a card; the whole of it is read in the inspector. */
export const shortText = (text: string): string =>
  minus(text)
    .replaceAll('in the aquarium', 'in the tank')
    .replace(/\bif there is an? /g, 'if ');

/** Two lines of about the same length. */
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

/** `unit` is how many pixels a unit of the card has on the screen. */
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
