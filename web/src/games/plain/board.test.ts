import { expect, it } from 'vitest';
import type { PlainBoard } from '../../lib/api/generated/plain-board';
import { DEFAULT_AREA } from '../../lib/board/boardArea.svelte';
import { choose, NO_SELECTION, selectPlace } from '../../lib/board/selection';
import {
  attempt,
  describe,
  frame,
  ghostOf,
  hops,
  keyOf,
  options,
  prompt,
  spaces,
  startPiece,
  tap,
  type PlainMove,
  type PlainView,
} from './board';

const BOARD: PlainBoard = {
  grid: 'square',
  places: [
    { at: [0, 0], label: 'a1, empty', name: 'a1', move: 'put {card} a1' },
    { at: [1, 0], label: 'b1, a piece of {0}', piece: { text: 'X', seat: 0 }, key: 'b1', move: 'go b1' },
  ],
  piles: [{ key: 'deck', label: 'the deck, 12 cards', count: 12, move: 'draw' }],
  hands: [
    { seat: 0, cards: [{ key: '7', label: 'the seven', text: '7', colour: 'red' }] },
    { seat: 1, cards: [{ key: '?', label: 'a hidden card' }] },
  ],
};
const view = (plain_board?: PlainBoard): PlainView => ({
  game: 'any',
  seat: 0,
  seats: 2,
  active: [0],
  due: [0],
  scores: [0, 0],
  outcome: null,
  position: {},
  extra: {},
  ...(plain_board ? { plain_board } : {}),
});
const move = (text: string, fields: object = {}): PlainMove => ({ move: text, words: text, kind: 'any', ...fields });

it('draws places and piles as spaces, called by their names and labels', () => {
  const found = spaces(view(BOARD), ['Ann', 'Ben'], DEFAULT_AREA);
  expect(found.map((space) => space.key)).toEqual(['0,0', 'b1', 'pile:deck']);
  expect(found[1]?.label).toBe('b1, a piece of Ann');
  const around = frame(view(BOARD), DEFAULT_AREA);
  for (const space of found) {
    expect(space.x).toBeGreaterThan(around.x);
    expect(space.x).toBeLessThan(around.x + around.width);
    expect(space.y).toBeLessThan(around.y + around.height);
  }
});

it('knows a place by its key and by where it is', () => {
  expect(keyOf(view(BOARD), [1, 0])).toBe('b1');
  expect(keyOf(view(BOARD), 'b1')).toBe('b1');
  expect(keyOf(view(BOARD), [0, 0])).toBe('0,0');
});

it('lets one point where nothing else has to be taken', () => {
  const all = options(view(BOARD), [move('a1', { at: [0, 0] }), move('draw', { pile: 'deck' })]);
  expect(all.map((option) => [option.piece, option.place])).toEqual([
    ['here', '0,0'],
    ['here', 'pile:deck'],
  ]);
  expect(startPiece(view(BOARD), all)).toBe('here');
});

it('takes a card first, and has a button for what else can be done with it', () => {
  const all = options(view(BOARD), [
    move('put 7 a1', { card: '7', at: [0, 0] }),
    move('drop 7', { card: '7' }),
    move('pass'),
  ]);
  expect(all.map((option) => [option.piece, option.place])).toEqual([
    ['card:7', '0,0'],
    ['move:drop 7', null],
    ['move:pass', null],
  ]);
  expect(ghostOf(view(BOARD), all[0]!)).toEqual({ text: '7', colour: 'red' });
  expect(options(view(BOARD), [move('play 7', { card: '7' })])[0]).toMatchObject({ piece: 'card:7', place: null });
});

it('takes up a piece that can move, puts it down again, and moves it', () => {
  const all = options(view(BOARD), [move('b1-a1', { from: [1, 0], at: [0, 0] })]);
  expect(all[0]).toMatchObject({ piece: 'from:b1', place: '0,0' });
  const taken = tap(view(BOARD), all, NO_SELECTION, 'b1');
  expect(taken).toEqual({ piece: 'from:b1', place: null, way: null });
  expect(tap(view(BOARD), all, taken!, 'b1')).toEqual(NO_SELECTION);
  expect(tap(view(BOARD), all, taken!, '0,0')).toBeNull();
  expect(selectPlace(all, taken!, '0,0', { swaps: false })).toMatchObject({ place: '0,0' });
  expect(ghostOf(view(BOARD), all[0]!)?.text).toBe('X');
});

it('asks about the move that a place means, with the card in hand', () => {
  const nothing = choose<PlainMove>([], NO_SELECTION);
  expect(attempt(view(BOARD), nothing, 'b1')).toBe('go b1');
  expect(attempt(view(BOARD), nothing, 'pile:deck')).toBe('draw');
  expect(attempt(view(BOARD), nothing, '0,0')).toBeNull();
  expect(attempt(view(BOARD), { ...nothing, piece: 'card:7' }, '0,0')).toBe('put 7 a1');
});

it('says what can be done', () => {
  const all = options(view(BOARD), [move('a1', { at: [0, 0] }), move('play 7', { card: '7' }), move('pass')]);
  expect(prompt(view(BOARD), choose(all, NO_SELECTION), NO_SELECTION)).toBe(
    'Your turn: choose a glowing place, a card of your hand or one of the buttons below.',
  );
  expect(prompt(view({ ...BOARD, prompt: 'Draw a card.' }), choose(all, NO_SELECTION), NO_SELECTION)).toBe(
    'Draw a card.',
  );
  expect(describe(view(BOARD), { piece: '', place: null, way: '', move: { ...move('go [b1]'), points: 1 } })).toBe(
    'Go [b1] for 1 point?',
  );
});

it('moves the pieces that events speak of', () => {
  const event = { kind: 'go', seat: 0, text: '', data: { from: [1, 0], at: [0, 0] }, lines: [] };
  const entry = { number: 1, at: 0, kind: 'move' as const, seat: 0, move: null, text: '', events: [event] };
  expect(hops(view(BOARD), [entry])).toEqual([{ from: 'b1', to: '0,0' }]);
});

it('lists the moves of a game that gives no board', () => {
  const all = options(view(), [move('pass'), move('a1', { at: [0, 0] }), move('play 7', { card: '7' })]);
  expect(spaces(view(), [], DEFAULT_AREA)).toEqual([]);
  expect(all.map((option) => [option.piece, option.place])).toEqual([
    ['move:pass', null],
    ['move:a1', null],
    ['move:play 7', null],
  ]);
});
