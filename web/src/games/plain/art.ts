/** How the plain board is drawn: sheets of paper, squares or hexagons in ink, counters and cards. */
import type { PlainBoard, PlainCard, PlainPiece } from '../../lib/api/generated/plain-board';
import { hexCorners, pointyHex, square, type Point } from '../../lib/board/geometry';
import { handDrawnOutline } from '../../lib/board/handDrawn';
import { seatColour } from '../../lib/table/seatStyle';

export type Grid = PlainBoard['grid'];
type Colour = NonNullable<PlainCard['colour']>;

/** The distance of two squares, and of a hexagon's corner from its middle. */
export const SQUARE = 92;
export const HEX = 54;
export const RADIUS = 31;
/** A pile is a card seen from above. */
export const CARD = { width: 66, height: 90 };

export const pointOf = (grid: Grid, [x = 0, y = 0]: readonly number[]): Point =>
  grid === 'hex' ? pointyHex(x, y, HEX) : square(x, y, SQUARE);

export const box = (width: number, height: number): Point[] => [
  { x: -width / 2, y: -height / 2 },
  { x: width / 2, y: -height / 2 },
  { x: width / 2, y: height / 2 },
  { x: -width / 2, y: height / 2 },
];

const cornersOf = (grid: Grid, inset: number): Point[] =>
  grid === 'hex' ? hexCorners(HEX - inset, 'pointy') : box(SQUARE - 2 * inset, SQUARE - 2 * inset);

/** The outline of a place where it lies: neighbours share a line. */
export const cell = (grid: Grid, where: Point): string => handDrawnOutline(cornersOf(grid, 1), 1.4, where);
/** The outline that lights up, a little inside of it. */
export const SPACE: Record<Grid, string> = {
  square: handDrawnOutline(cornersOf('square', 5), 0.7),
  hex: handDrawnOutline(cornersOf('hex', 5), 0.7),
};
export const PILE = handDrawnOutline(box(CARD.width, CARD.height), 1.2);

/** Colours that stand on paper by day and by night, each with an ink that can be read on it. */
const COLOURS: Record<Colour, readonly [string, string]> = {
  red: ['#e58373', '#26323c'],
  orange: ['#eda45c', '#26323c'],
  yellow: ['#ecd06a', '#26323c'],
  green: ['#8fbf7f', '#26323c'],
  blue: ['#85b6d4', '#26323c'],
  purple: ['#b9a0d8', '#26323c'],
  brown: ['#c2a07c', '#26323c'],
  black: ['#3a444c', '#fffaf0'],
  white: ['#fbf6ea', '#26323c'],
  grey: ['#c3c6c4', '#26323c'],
};

/** Fill and ink of a piece, a card or a pile, as style. */
export function paint(thing: { colour?: Colour; seat?: number }): string {
  if (thing.colour !== undefined) {
    const [fill, ink] = COLOURS[thing.colour];
    return `--fill: ${fill}; --on: ${ink}`;
  }
  if (thing.seat !== undefined)
    return `--fill: color-mix(in oklab, ${seatColour(thing.seat)} 62%, #fffaf0); --on: #26323c`;
  return '--fill: #fbf6ea; --on: #26323c';
}

/** The ground of a place, as style: a wash of its colour over paper. */
export const wash = (colour: Colour | undefined): string =>
  colour === undefined ? '' : `--ground: color-mix(in oklab, ${COLOURS[colour][0]} 55%, var(--card))`;

/** How large a text is written, so that it stays within a width. */
export const fit = (text: string, width: number, most: number): number =>
  Math.min(most, (1.75 * width) / Math.max(1, [...text].length));

export const kindOf = (piece: PlainPiece): string => [piece.text, piece.colour ?? '', piece.seat ?? ''].join('|');
