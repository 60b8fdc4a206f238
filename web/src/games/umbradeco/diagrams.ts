import type { Diagram } from '../game';
import type { UmbraView } from './board';
import type { Colour } from './material';

function picture(mat: [number, number, ...Colour[]][]): UmbraView {
  return {
    game: 'umbradeco',
    seat: null,
    seats: 2,
    active: [],
    due: [],
    scores: [0, 0],
    outcome: null,
    position: {
      game: 'umbradeco',
      options: { mat: 'small', rows: 'open' },
      phase: 'place',
      scores: [0, 0],
      mat: mat.map(([q, r, ...tiles]) => ({ at: [q, r], tiles })),
      hands: [[], []],
      shown: [0, 0],
      market: [],
      deck: 20,
    },
    extra: { unseen: { red: 0, yellow: 0, green: 0, blue: 0, violet: 0 } },
  };
}

export const diagrams: Diagram[] = [
  {
    title: 'Never side by side',
    section: 'The colour rule',
    text: 'No two umbrellas of one colour may touch. But on the straight lines through the one you open, every other of its colour is a point: here the red in the middle makes 2.',
    view: picture([
      [0, 0, 'red'],
      [0, -1, 'blue'],
      [0, -2, 'red'],
      [1, 0, 'yellow'],
      [2, 0, 'red'],
      [0, 1, 'green'],
    ]),
    lit: ['0,0', '0,-2', '2,0'],
  },
  {
    title: 'Push over',
    section: 'Your turn',
    text: 'Push a single umbrella one step to an empty space and open yours where it was: 1 point more. Four colours around yours are 3 more.',
    view: picture([
      [0, 0, 'red'],
      [0, 1, 'violet'],
      [0, -1, 'blue'],
      [1, -1, 'green'],
      [-1, 1, 'yellow'],
    ]),
    lit: ['0,0', '0,1'],
  },
  {
    title: 'Stack up',
    section: 'Points',
    text: 'When every space around a single umbrella is taken, another colour may open on top of it: 5 points.',
    view: picture([
      [0, 0, 'blue', 'yellow'],
      [0, -1, 'red'],
      [1, -1, 'green'],
      [1, 0, 'red'],
      [0, 1, 'violet'],
      [-1, 1, 'red'],
      [-1, 0, 'green'],
    ]),
    lit: ['0,0'],
  },
];
