/** Where Umbradeco's spaces are: flat-top hexagons. */
import { flatHex, type Point } from '../../lib/board/geometry';

export const SIZE = 50;

export const at = (q: number, r: number): Point => flatHex(q, r, SIZE);
