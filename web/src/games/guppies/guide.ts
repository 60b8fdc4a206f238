import type { Guide } from '../../lib/guide/guide';

const position = {
  game: 'guppies',
  options: { table: 'endless', tiles: 64 },
  to_move: 0,
  seats: [
    { colour: 'green', score: 12 },
    { colour: 'orange', score: 11 },
  ],
  laid: [
    { at: [-1, -1], face: 'OPG...' },
    { at: [0, -1], face: 'gOOo..' },
    { at: [0, 0], face: 'OG..o.' },
    { at: [1, 0], face: 'g.OoPP' },
    { at: [2, -1], face: 'GGpGPp' },
    { at: [2, 0], face: 'Op.Gg.' },
    { at: [2, 1], face: 'p.OPP.' },
    { at: [3, 0], face: 'pP.o..' },
  ],
  tile: ['g..o..', 'OPpp.P'],
  bag: { count: 55, sure: [128] },
};

export const guide: Guide = {
  record: `Game: guppies\nRules: 1\nSeats: 2\nOptions: {"table": "endless", "tiles": 64}\nPosition: ${JSON.stringify(position)}\n`,
  steps: [
    {
      say: 'You are green. Every edge of a tile is a head, a tail, or water; where two tiles touch, halves must make a whole fish, or water meet water.',
      until: 'next',
    },
    {
      say: 'Below is the tile you drew, with its two faces. You may use either, and turn it. Spaces where it fits glow, with the points to be made there.',
      until: 'next',
    },
    {
      say: 'Lay the face with two fish on 3,-1: it completes a green fish and matches three edges. A fish of your own colour counts 3, times 3 edges: 9 points.',
      light: ['3,-1'],
      until: 'move',
      expect: '^a3@3,-1$',
    },
    {
      say: 'Fish count 3 in your colour and 1 in others, and all of it is multiplied by all matching edges, water too. No fish, no points.',
      until: 'next',
    },
    {
      say: 'Greedy is orange and lays a tile now. When it is your turn again, try both faces: press Flip, or tap the other face.',
      until: 'move',
    },
    {
      say: 'Tap a chosen space once more, or press R, to turn the tile through all the ways that fit. Lay another one.',
      until: 'move',
    },
    {
      say: 'Somewhere in the bag is the rainbow squid: water all around, and 5 points for every edge it touches. The rest of the game is yours.',
      until: 'next',
    },
  ],
};
