import type { Guide } from '../../lib/guide/guide';

const position = {
  game: 'aquarium',
  options: { cards: 'standard' },
  phase: 'turn',
  round: 6,
  first: 0,
  to_move: 0,
  store: ['Bubble Jet', 'Hermit Crab', 'Sun Coral', 'Moray Eel', 'Anthias'],
  seats: [
    {
      grid: [
        ['Water', 'Spaghetti Algae', 'Driftwood'],
        ['Cardinalfish', 'Clownfish', 'Manatee Grass'],
        ['Pink Gravel', "Mermaid's Fan", 'Gravel'],
      ],
      net: true,
      restock: true,
      aside: ['Seahorse', 'Diver'],
    },
    {
      grid: [
        ['Flowing Water', 'Flowing Water', 'Water'],
        ['Water', 'Triggerfish', 'Bubbly Water'],
        ['Gravel', 'Bubble Jet', 'Neon Gravel'],
      ],
      net: true,
      restock: false,
      aside: ['Skull Cave', 'Cabbage Coral'],
    },
  ],
  deck: 50,
};

export const guide: Guide = {
  record: `Game: aquarium\nRules: 1\nSeats: 2\nOptions: {"cards": "standard"}\nPosition: ${JSON.stringify(position)}\n`,
  steps: [
    {
      say: 'This is your tank in round 6 of 8. Each card shows the points it makes; lines lead from cards that help to cards that gain.',
      until: 'next',
    },
    {
      say: 'Point at the Pink Gravel on a3. It has 2 more when it lies directly below a plant; here a fish is above it.',
      light: ['a3'],
      until: 'next',
    },
    {
      say: 'Your net swaps two cards of your own tank, once in the game, at any time. Choose Net, then a3 and c3: the Pink Gravel comes to lie below the Manatee Grass.',
      light: ['a3', 'c3'],
      until: 'move',
      expect: '^net (a3 c3|c3 a3)',
    },
    {
      say: 'Now take a card from the store; it replaces one of yours. The Hermit Crab likes plants, and the Cardinalfish and the grass like the crab: put it on b2.',
      light: ['b2'],
      until: 'move',
      expect: '^take Hermit Crab@b2',
    },
    {
      say: 'The replaced card lies in the store now, where others may take it in this round. Then the rest of the store is discarded and a new round begins with new cards.',
      until: 'next',
    },
    {
      say: 'When it is your turn again, choose for yourself: with a card in hand, every space says what would change. If nothing pleases you, Restock fills the store anew, once.',
      until: 'move',
    },
    {
      say: 'The other tanks are worth a look as well: point at their cards. What you put into the store may be just what they need.',
      until: 'next',
    },
    {
      say: 'The rest is yours. After round 8 whoever still has a net is asked once more, and the most valuable tank wins.',
      until: 'next',
    },
  ],
};
