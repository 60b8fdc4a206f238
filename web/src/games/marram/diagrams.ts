/** Live diagrams for the Learn page: positions drawn by the board itself. */
import type { Beast, Laid, PatchShape } from '../../lib/api/generated/view-marram';
import type { Diagram } from '../game';
import type { MarramView } from './board';

type Some<T> = Partial<T>[];

function picture(
  laid: Partial<Laid>[],
  features: { beasts?: Some<Beast>; patches?: Some<PatchShape> } = {},
): MarramView {
  const seat = { score: 0, boots: 7, forks: 0, spades: 4, hand: [] };
  return {
    game: 'marram',
    seat: null,
    seats: 2,
    active: [],
    due: [],
    scores: [0, 0],
    outcome: null,
    position: {
      game: 'marram',
      options: { variant: 'classic', length: 'long' },
      phase: 'move',
      to_move: 0,
      move: 1,
      seats: [seat, seat],
      laid: laid.map((tile) => ({ at: [0, 0], turn: 0, bridge: 'sand', segments: [], flips: 0, ...tile })),
      stock: 60,
    },
    extra: {
      open: [],
      beasts: (features.beasts ?? []) as Beast[],
      patches: (features.patches ?? []) as PatchShape[],
      hands: [],
      stock: 60,
      knock_out: 0,
    },
  };
}

export const diagrams: Diagram[] = [
  {
    title: 'Ground flows on',
    section: 'The ground',
    text: 'Grass meets grass and sand meets sand: a tile only fits that way. One ground crosses each tile as a bridge, the other is parted into two corners. Here four tiles part the point between them: a complete circle of grass, one bulge.',
    view: picture([
      { at: [0, 0], bridge: 'sand' },
      { at: [1, 0], bridge: 'sand', ornament: 'flower' },
      { at: [0, 1], bridge: 'sand' },
      { at: [1, 1], bridge: 'sand', claim: { seat: 0, piece: 'boot', on: 'NW' } },
    ]),
    lit: ['0,0', '1,0', '0,1', '1,1'],
  },
  {
    title: 'Beasts',
    section: 'Beasts',
    text: 'A blue snake has a head, a tail and at least one body between them: 3 points a segment, here 9. Orange snakes have two like ends, 1 a segment. Worms have two ends and one saddle, 2 a segment. Anything else that is closed is a freak, 3 in all.',
    view: picture([
      { at: [0, 0], bridge: 'grass', segments: ['blue head S'] },
      { at: [0, 1], bridge: 'sand', segments: ['blue body NE'], claim: { seat: 1, piece: 'boot', on: 'N' } },
      { at: [1, 1], bridge: 'sand', segments: ['blue tail W'] },
      { at: [1, 0], bridge: 'grass', segments: ['orange end E'] },
      { at: [2, 0], bridge: 'grass', segments: ['orange end W'] },
    ]),
    lit: ['0,0', '0,1', '1,1'],
  },
  {
    title: 'Flips',
    section: 'Your turn',
    text: 'A ring says how often a tile can still be turned over: red with three strokes, amber with two, green with one. Its other face shows grass and sand swapped, so that what was parted is joined. A flip costs a spade card.',
    view: picture([
      { at: [0, 0], bridge: 'grass', flips: 3 },
      { at: [1, 0], bridge: 'sand', flips: 2 },
      { at: [2, 0], bridge: 'grass', flips: 1 },
      { at: [1, 1], bridge: 'grass', segments: ['worm saddle EW'] },
      { at: [0, 1], bridge: 'sand', segments: ['worm end E'] },
      { at: [2, 1], bridge: 'sand', segments: ['worm end W'], ornament: 'flower' },
    ]),
    lit: ['0,0', '1,0', '2,0'],
  },
];
