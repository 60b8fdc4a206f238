import type { Guide } from '../../lib/guide/guide';

const position = {
  game: 'umbradeco',
  options: { mat: 'small', rows: 'open' },
  phase: 'place',
  to_move: 0,
  scores: [3, 3],
  mat: [
    { at: [0, 0], tiles: ['red'] },
    { at: [0, -1], tiles: ['yellow'] },
    { at: [1, -1], tiles: ['blue'] },
    { at: [0, 1], tiles: ['yellow'] },
    { at: [2, -2], tiles: ['yellow'] },
    { at: [2, -1], tiles: ['green'] },
  ],
  hands: [
    ['violet', 'red'],
    ['yellow', 'violet'],
  ],
  shown: [1, 2],
  market: ['red', 'red'],
  deck: 28,
};

export const guide: Guide = {
  record: `Game: umbradeco\nRules: 1\nSeats: 2\nOptions: {"mat": "small", "rows": "open"}\nPosition: ${JSON.stringify(position)}\n`,
  steps: [
    {
      say: 'A small square with six umbrellas. Two of one colour may never stand side by side; that is the one rule that always holds.',
      until: 'next',
    },
    {
      say: 'You hold a violet and a red umbrella. Choose one; spaces where it can open glow, with the points to be made there.',
      until: 'next',
    },
    {
      say: 'An umbrella can open beside others, or push a single one aside. Take violet, choose the blue umbrella at 1,-1, and push it to the south: 1 point for the push, and 3 for four colours around yours.',
      light: ['1,-1'],
      until: 'move',
      expect: '^violet>1,-1:[SN]$',
    },
    {
      say: 'After placing, take a tile from the market; the deck fills it up again. Everyone sees what you take.',
      until: 'move',
      expect: '^take ',
    },
    {
      say: 'Points also come from straight lines: each umbrella of the same colour on the three lines through yours is 1 point. Look for two that are in line, but do not touch.',
      until: 'next',
    },
    {
      say: 'Your turn again soon: open an umbrella wherever you like. The arrows, or R, choose where a push goes.',
      until: 'move',
    },
    {
      say: 'Where every space around a single umbrella is taken, another colour may be stacked on top: 5 points. The rest of the game is yours.',
      until: 'next',
    },
  ],
};
