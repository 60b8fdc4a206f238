/** Aquarium's material: the types of cards, and the spaces of a tank. */
import type { CardFacts } from '../../lib/api/generated/view-aquarium';

export type CardType = CardFacts['type'];

/** In the order in which they are listed. */
export const TYPES_IN_ORDER: readonly CardType[] = [
  'fish',
  'crustacean',
  'gravel',
  'coral',
  'water',
  'decor',
  'plant',
  'starfish',
];

/** The spaces of a tank as in notation, row by row. */
export const SPACES = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'] as const;
