/** Umbradeco's tiles read large: their colour, what they scored when they were placed, and what is in the box. */
import type { BoxColour } from '../../lib/api/generated/view-umbradeco';
import {
  previewScore,
  placedScore,
  type InspectContext,
  type CardDetail,
  type CatalogueGroup,
} from '../../lib/inspect/inspect';
import { capitalize } from '../../lib/text';
import { tilesAt, type UmbraView } from './board';
import { COLOURS, type Colour } from './material';

const TILE = 'tile:';
/** The key of a tile of this colour in a hand or in the market. */
export const tileKey = (colour: string): string => TILE + colour;
const known = (colour: string | undefined): colour is Colour => COLOURS.includes(colour as Colour);

const PATTERNS: Record<Colour, string> = {
  red: 'A bright band and a heart',
  yellow: 'Two tones and a star',
  green: 'Two rings and a clover',
  blue: 'Small drops and a diamond',
  violet: 'Large spots and a flower',
};

function plain(colour: Colour, view: UmbraView | null): CardDetail {
  const unseen = view?.extra.unseen[colour];
  return {
    card: colour,
    title: `${capitalize(colour)} umbrella`,
    kind: PATTERNS[colour],
    text: [
      `It never stands beside another ${colour} one.`,
      `Placed, it makes 1 point for every other ${colour} one on its three straight lines, and 3 if its neighbours show four colours; a push makes 1 more, a stack 5 more.`,
      ...(unseen === undefined
        ? []
        : [`${unseen} more ${unseen === 1 ? 'is' : 'are'} where you cannot see ${unseen === 1 ? 'it' : 'them'}.`]),
    ],
    lines: [],
    total: null,
  };
}

export function inspect(view: UmbraView, key: string, names: string[], context?: InspectContext): CardDetail | null {
  if (key.startsWith(TILE)) {
    const colour = key.slice(TILE.length);
    return known(colour) ? plain(colour, view) : null;
  }
  if (context?.ghost?.place === key && known(context.ghost.piece))
    return { ...plain(context.ghost.piece, view), ...previewScore(context, view.seat, names) };
  const tiles = tilesAt(view).get(key) ?? [];
  const top = tiles.at(-1);
  if (!known(top)) return null;
  const under = tiles.length > 1 ? tiles[0] : undefined;
  return {
    ...plain(top, view),
    ...placedScore(context, key, names),
    parts: under ? [{ card: under, title: `${capitalize(under)}`, text: 'is covered and counts no more.' }] : undefined,
  };
}

export function catalogue(view: UmbraView | null, box: readonly unknown[]): CatalogueGroup[] {
  const cards = (box as BoxColour[]).map((entry) => ({
    ...plain(entry.colour, view),
    count: `${entry.tiles} in the box`,
    note: entry.source === 'reconstructed' ? 'Which colours there are is reconstructed.' : undefined,
  }));
  return cards.length ? [{ title: 'Five colours of umbrellas', cards }] : [];
}
