/** A guided first game: Classic, short, me against one bot, a few tiles into the dunes. */
import type { Guide } from '../../lib/guide/guide';

const position = {
  game: 'marram',
  options: { variant: 'classic', length: 'short' },
  to_move: 0,
  move: 1,
  seats: [{ hand: [31, 14, 62] }, { hand: [47, 58, 36] }],
  laid: [
    { at: [0, 0], tile: 0, turn: 0 },
    { at: [0, -1], tile: 37, turn: 1 },
    { at: [1, 0], tile: 12, turn: 0 },
    { at: [0, 1], tile: 13, turn: 0 },
    { at: [-1, 0], tile: 45, turn: 0, claim: { seat: 1, piece: 'boot', on: 'N' } },
  ],
};

export const guide: Guide = {
  record: `Game: marram\nRules: 1\nSeats: 2\nPosition: ${JSON.stringify(position)}\n\n`,
  steps: [
    {
      say: 'Dunes of grass and sand, and things that crawl in them. Your three tiles lie below, each shown with both its sides. A turn is two moves.',
      until: 'next',
    },
    {
      say: 'A blue snake lies here: a head and a body. It lacks a tail, and you hold one. Take the tile with the tail and lay it on the lit place, so that the snake goes on.',
      light: ['1,-1'],
      until: 'move',
      expect: '^31.*@1,-1$',
    },
    {
      say: 'After each move you may claim one thing on the tile you played. Put a boot on the snake: it is complete, so it scores 3 for each segment at once, and the boot comes home.',
      until: 'move',
      expect: '^boot W$',
    },
    {
      say: 'Nine points. Now ground: three corners of grass meet around one point, and the fourth tile is missing. Take the back of your spade tile, where sand is the bridge, and lay it there.',
      light: ['1,1'],
      until: 'move',
      expect: '^14b.*@1,1$',
    },
    {
      say: 'The round patch of grass is complete. Claim its corner, in the north-west of your tile: 5 points for one bulge.',
      until: 'move',
      expect: '^boot NW$',
    },
    {
      say: 'Your hand is filled up again, and the bot plays. Its boot stands on an orange snake: as long as nobody has more boots there, the points will be its own.',
      light: ['-1,0'],
      until: 'next',
    },
    {
      say: 'Rings with strokes mark tiles that can still be flipped: press the spade below and they glow. A flip swaps grass and sand, joins what was parted, and costs a spade card. Lay or flip as you like now.',
      light: ['1,0', '0,1'],
      until: 'move',
    },
    {
      say: 'The flags below list every claim: who leads, and what it would bring now. Unfinished things score a little in a long game. This one is short: 80 points end it. Good digging!',
      until: 'next',
    },
  ],
};
