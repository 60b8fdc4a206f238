// Made by `npm run types` from schemas/plain-board.json. Do not edit.

export interface Shapes {
  PlainBoard?: PlainBoard;
  PlainCard?: PlainCard;
  PlainHand?: PlainHand;
  PlainPiece?: PlainPiece;
  PlainPile?: PlainPile;
  PlainPlace?: PlainPlace;
}
/**
 * All that the page draws of a game.
 */
export interface PlainBoard {
  grid: 'hex' | 'square';
  hands?: PlainHand[];
  piles?: PlainPile[];
  places: PlainPlace[];
  prompt?: string;
  seats?: string[];
}
/**
 * What a seat holds. Of other seats list what the viewer may see: cards without a text show their backs.
 */
export interface PlainHand {
  cards: PlainCard[];
  seat: number;
}
/**
 * A card or tile in a hand.
 */
export interface PlainCard {
  colour?: 'black' | 'blue' | 'brown' | 'green' | 'grey' | 'orange' | 'purple' | 'red' | 'white' | 'yellow';
  key: string;
  label: string;
  text?: string;
}
/**
 * Cards or tiles on one heap, beside the grid.
 */
export interface PlainPile {
  colour?: 'black' | 'blue' | 'brown' | 'green' | 'grey' | 'orange' | 'purple' | 'red' | 'white' | 'yellow';
  count?: number;
  key: string;
  label: string;
  move?: string;
  text?: string;
}
/**
 * A place of the grid.
 */
export interface PlainPlace {
  at: number[];
  ground?: 'black' | 'blue' | 'brown' | 'green' | 'grey' | 'orange' | 'purple' | 'red' | 'white' | 'yellow';
  key?: string;
  label: string;
  move?: string;
  name?: string;
  piece?: PlainPiece;
}
/**
 * A piece on a place: a round counter with a short text, such as "X" or "12".
 */
export interface PlainPiece {
  colour?: 'black' | 'blue' | 'brown' | 'green' | 'grey' | 'orange' | 'purple' | 'red' | 'white' | 'yellow';
  seat?: number;
  text: string;
}
