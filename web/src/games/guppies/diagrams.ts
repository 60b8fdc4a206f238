/** Live diagrams for the Learn page: positions drawn by the board itself. */
import type { Diagram } from '../game';
import type { GuppiesView } from './board';

type Laid = { at: number[]; face: string }[];

function picture(laid: Laid): GuppiesView {
  return {
    game: 'guppies',
    seat: null,
    seats: 2,
    active: [],
    due: [],
    scores: [0, 0],
    outcome: null,
    position: {
      game: 'guppies',
      options: { table: 'endless', tiles: 128 },
      to_move: 0,
      seats: [
        { colour: 'green', score: 0 },
        { colour: 'orange', score: 0 },
      ],
      laid,
      bag: 100,
    },
    extra: { bag: 100, may_be_in_bag: [], halves: { G: 0, g: 0, O: 0, o: 0, P: 0, p: 0 }, tile: 0, open: [] },
  };
}

export const diagrams: Diagram[] = [
  {
    title: 'Halves become fish',
    section: 'Your turn',
    text: 'Where two tiles touch, a head meets a tail of its own colour, or water meets water. Here one orange fish is completed: it lies across the edge.',
    view: picture([
      { at: [0, 0], face: 'O.g.p.' },
      { at: [1, 0], face: '.PGoo.' },
    ]),
    lit: ['0,0', '1,0'],
  },
  {
    title: 'Fish times edges',
    section: 'Points',
    text: 'The tile on the right was laid last. It completes an orange fish and touches with two edges, one of them water. For orange that is 3 × 2 = 6 points; for anyone else 1 × 2 = 2.',
    view: picture([
      { at: [0, 0], face: 'O.g.p.' },
      { at: [0, 1], face: 'pgO...' },
      { at: [1, 0], face: '.P.o.G' },
    ]),
    lit: ['1,0', '0,0'],
  },
  {
    title: 'The rainbow squid',
    section: 'The squid',
    text: 'The squid has water on all sides and lies only against water. It scores 5 for every edge that touches.',
    view: picture([
      { at: [0, 0], face: '.G.o.p' },
      { at: [1, 0], face: 'SQUID' },
      { at: [1, -1], face: 'g.P.oG' },
    ]),
    lit: ['1,0'],
  },
];
