/** Where Guppies' tiles are: pointy-top hexagons. */
import { type Point, pointyHex } from '../../lib/board/geometry';

export const SIZE = 60;

/** From the middle of a tile to the middle of an edge. */
export const REACH = (SIZE * Math.sqrt(3)) / 2;

export const at = (q: number, r: number): Point => pointyHex(q, r, SIZE);
