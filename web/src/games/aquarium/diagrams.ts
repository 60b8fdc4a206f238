import type { CardFacts, Reason } from '../../lib/api/generated/view-aquarium';
import type { Diagram } from '../game';
import type { AquaView } from './board';

type Facts = Record<string, [CardFacts['type'], number, string]>;

/** A view with a single tank, like one from the server. */
function picture(grid: string[][], values: number[][], reasons: Reason[], facts: Facts): AquaView {
  const cards = Object.fromEntries(
    Object.entries(facts).map(([name, [type, base, text]]) => [name, { type, base, text }]),
  );
  return {
    game: 'aquarium',
    seat: 0,
    seats: 1,
    active: [],
    due: [],
    scores: [values.flat().reduce((sum, value) => sum + value, 0)],
    outcome: null,
    position: {
      game: 'aquarium',
      options: { cards: 'balanced' },
      phase: 'turn',
      round: 1,
      seats: [{ grid, net: true, restock: true }],
      deck: 70,
      discards: [],
    },
    extra: { rounds: 8, store_size: 5, values: [values], reasons: [reasons], plan: null, cards },
  };
}

const START: Facts = { Water: ['water', 1, ''], Gravel: ['gravel', 1, ''], Clownfish: ['fish', 2, ''] };

export const diagrams: Diagram[] = [
  {
    title: 'Nine cards, always',
    section: 'The tank',
    text: 'Everyone begins with this tank. On your turn a card from the store takes the place of one of yours, and yours goes to the store for others.',
    view: picture(
      [
        ['Water', 'Water', 'Water'],
        ['Water', 'Clownfish', 'Water'],
        ['Gravel', 'Gravel', 'Gravel'],
      ],
      [
        [1, 1, 1],
        [1, 2, 1],
        [1, 1, 1],
      ],
      [],
      START,
    ),
  },
  {
    title: 'Good company',
    section: 'Scoring',
    text: 'A card is worth its base, and what its neighbours make of it. The Hermit Crab has 2, and 1 more for each plant that touches it: 5. Lines lead from the cards that help.',
    view: picture(
      [
        ['Driftwood', 'Spaghetti Algae', 'Driftwood'],
        ['Cardinalfish', 'Hermit Crab', 'Manatee Grass'],
        ['Pink Gravel', 'Spaghetti Algae', 'Pink Gravel'],
      ],
      [
        [6, 4, 6],
        [5, 5, 4],
        [3, 4, 5],
      ],
      [
        { space: 'b2', points: 3, of: ['b1', 'c2', 'b3'], why: '' },
        { space: 'a2', points: 2, of: ['b2'], why: '' },
        { space: 'c2', points: 1, of: ['b2'], why: '' },
        { space: 'c3', points: 2, of: ['c2'], why: '' },
      ],
      {
        Driftwood: ['decor', 3, '+1 per plant in the aquarium'],
        'Spaghetti Algae': ['plant', 4, '-1 per adjacent fish'],
        Cardinalfish: ['fish', 3, '+2 if beside a crustacean'],
        'Hermit Crab': ['crustacean', 2, '+1 per adjacent plant'],
        'Manatee Grass': ['plant', 3, '+1 per crustacean in this row'],
        'Pink Gravel': ['gravel', 3, '+2 if directly below a plant'],
      },
    ),
    lit: ['b2'],
  },
  {
    title: 'Bad company',
    section: 'Scoring',
    text: 'Some cards spoil others: an Asterina Starfish has 5 and loses 1 for each coral or plant beside it, and Moray Eels cannot stand each other. A net swaps two of your cards, once in the game, at any time.',
    view: picture(
      [
        ['Sun Coral', 'Asterina Starfish', 'Mangrove'],
        ['Moray Eel', 'Clownfish', 'Moray Eel'],
        ['Gravel', 'Gravel', 'Gravel'],
      ],
      [
        [5, 3, 2],
        [3, 2, 3],
        [1, 1, 1],
      ],
      [
        { space: 'b1', points: -2, of: ['a1', 'c1'], why: '' },
        { space: 'a2', points: -2, of: ['c2'], why: '' },
        { space: 'c2', points: -2, of: ['a2'], why: '' },
      ],
      {
        ...START,
        'Sun Coral': ['coral', 3, '+2 if in the top row'],
        'Asterina Starfish': ['starfish', 5, '-1 per adjacent coral or plant'],
        Mangrove: ['plant', 2, '+1 per water in the aquarium'],
        'Moray Eel': ['fish', 5, '-2 per other Moray Eel in the aquarium'],
      },
    ),
    lit: ['b1', 'a2', 'c2'],
  },
];
