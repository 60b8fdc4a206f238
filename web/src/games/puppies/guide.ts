/** A guided first game: a yard with two groups, and a hand whose best card is plain to see. */
import type { Guide } from '../../lib/guide/guide';

const position = {
  game: 'puppies',
  options: { extended: false, strategic: false, cards: 'standard' },
  round: 4,
  final: false,
  phase: 'choose',
  park: [16, 42, 83],
  deck: 24,
  seats: [
    {
      hand: [25, 41, 95],
      open: [],
      groups: [
        { breed: 'huskies', pups: [46, 40], bones: [1, 1, 2] },
        { breed: 'aussies', pups: [86], bones: [1] },
      ],
    },
    {
      hand: [5, 13, 30],
      open: [],
      groups: [
        { breed: 'pugs', pups: [1], bones: [1, 2] },
        { breed: 'shibas', pups: [70], bones: [5] },
      ],
    },
  ],
};

export const guide: Guide = {
  record: `Game: puppies\nRules: 1\nSeats: 2\nOptions: ${JSON.stringify(position.options)}\nPosition: ${JSON.stringify(position)}\n\n`,
  steps: [
    {
      say: 'This is your yard. Pups of one breed are a group: two Huskies and an Aussie. The cards below them are their bones, and the number on top of each is what it is worth.',
      light: ['huskies', 'aussies'],
      until: 'next',
    },
    {
      say: 'Each round you play one pup. It does its trick, and then you take a card from the park. N in a trick is the number of pups in its group, itself included.',
      light: ['park:16', 'park:42', 'park:83'],
      until: 'next',
    },
    {
      say: 'Everyone chooses in secret. Your Proud Husky would be the third of its group and bury three bones. Choose 41 and confirm.',
      until: 'move',
      expect: '^choose 41',
    },
    {
      say: 'The cards are turned up, and the highest number acts first: you. Bury the first bone with the Huskies. Tapping twice confirms.',
      light: ['huskies'],
      until: 'move',
      expect: '^bury huskies',
    },
    { say: 'Every bone starts at 1. Bury the second.', light: ['huskies'], until: 'move', expect: '^bury' },
    { say: 'And the third. You could stop at any time, but why?', light: ['huskies'], until: 'move', expect: '^bury' },
    {
      say: 'Now take a card. The Brave Husky, 42, turns up as many bones as there are Huskies: just what you need. The card nobody takes goes to the last to act.',
      light: ['park:42'],
      until: 'move',
      expect: '^take 42',
    },
    {
      say: 'A new round. Everyone has seen you take the Brave Husky; play it all the same.',
      until: 'move',
      expect: '^choose 42',
    },
    {
      say: 'Four Huskies, so four different bones may be turned up: 1 to 2, 2 to 5, 5 to 10. The badge says what each brings. Begin with the 2.',
      light: ['huskies:2'],
      until: 'move',
      expect: '^up 2 huskies',
    },
    {
      say: 'Turn up three more. The rosette at a group is the bonus its breed would give at the end: Huskies like Aussies. All tricks and bonuses are in the book beside your hand. Have fun!',
      light: ['huskies'],
      until: 'next',
    },
  ],
};
