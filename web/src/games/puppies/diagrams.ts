import type { Diagram } from '../game';
import type { Group } from '../../lib/api/generated/view-puppies';
import type { PuppiesView } from './board';

function picture(groups: Group[], bonuses: Record<string, number> = {}): PuppiesView {
  return {
    game: 'puppies',
    seat: 0,
    seats: 1,
    active: [],
    due: [],
    scores: [0],
    outcome: null,
    position: {
      game: 'puppies',
      options: { extended: false, strategic: false, cards: 'balanced' },
      round: 1,
      final: false,
      phase: 'choose',
      park: [],
      deck: 30,
      box: 55,
      seats: [{ hand: [], open: [], chosen: null, groups }],
    },
    extra: {
      asks: '',
      bonuses: [Object.entries(bonuses).map(([breed, points]) => ({ breed, points, bones: [] }))],
    },
  };
}

export const diagrams: Diagram[] = [
  {
    title: 'Breeds and groups',
    section: 'Groups',
    text: 'The tens digit of a card is its breed, the ones digit its trick. All your pups of one breed are one group. A Special Doggo, here among the Huskies, belongs to the group it joins for good, whatever it may look like.',
    view: picture([{ breed: 'huskies', pups: [41, 45, 96], bones: [1] }]),
    lit: ['huskies'],
  },
  {
    title: 'Bones',
    section: 'Bones',
    text: 'A bone is a card buried face down, and its number is what it is worth: 1 at first, then 2, 5 and 10, a step further each time it is turned. These four are worth 18.',
    view: picture([{ breed: 'labradors', pups: [60, 63], bones: [1, 2, 5, 10] }]),
    lit: ['labradors:1', 'labradors:2', 'labradors:5', 'labradors:10'],
  },
  {
    title: 'Larger groups do more',
    section: 'Tricks',
    text: 'Many tricks say N: the pups in the group, the new one included. The third Corgi here was Proud and buried N, that is three, bones.',
    view: picture([{ breed: 'corgis', pups: [14, 16, 11], bones: [1, 1, 1] }]),
    lit: ['corgis:1'],
  },
  {
    title: 'The bonus at the end',
    section: 'The end',
    text: 'When the game is over, each breed turns some bones of its group once more. The rosette says how many points that would be now: three Dachshunds turn three bones once each, so 5 becomes 10 and both 2s become 5.',
    view: picture([{ breed: 'dachshunds', pups: [31, 33, 38], bones: [2, 2, 5] }], { dachshunds: 11 }),
    lit: ['dachshunds'],
  },
];
