import { describe, expect, it } from 'vitest';
import type { Legal } from '../api/types';
import {
  choose,
  nextPiece,
  nextWay,
  NO_SELECTION,
  selectAll,
  togglePlace,
  selectPiece,
  selectPlace,
  type MoveOption,
  type MultiSelect,
} from './selection';

function option(piece: string, place: string | null, way: string, points = 0): MoveOption {
  const move: Legal = { move: `${piece}${way}@${place}`, words: '', points };
  return { piece, place, way, move };
}
const FACETS = [
  option('a', '0,1', '0', 2),
  option('a', '0,1', '3', 6),
  option('a', '1,1', '2', 1),
  option('b', '5,5', '1', 4),
  option('b', '0,1', '1', 0),
];

describe('choosing a move', () => {
  it('offers the places of the piece in hand with the most points each can make', () => {
    const choice = choose(FACETS, { ...NO_SELECTION, piece: 'a' });
    expect([...choice.places]).toEqual([
      ['0,1', 6],
      ['1,1', 1],
    ]);
    expect([...choice.elsewhere]).toEqual(['5,5']);
  });

  it('has nothing ready before a place is pointed at', () => {
    expect(choose(FACETS, { ...NO_SELECTION, piece: 'a' }).ready).toBeNull();
  });

  it('takes the only piece there is by itself', () => {
    expect(choose(FACETS.slice(0, 3), NO_SELECTION).piece).toBe('a');
    expect(choose(FACETS, NO_SELECTION).piece).toBeNull();
  });

  it('begins with the way that scores most, and turns through the legal ways only', () => {
    const first = selectPlace(FACETS, { ...NO_SELECTION, piece: 'a' }, '0,1', { swaps: false });
    expect(choose(FACETS, first ?? NO_SELECTION).ready?.way).toBe('3');
    const second = nextWay(FACETS, first ?? NO_SELECTION, 1);
    expect(choose(FACETS, second).ready?.way).toBe('0');
    expect(selectPlace(FACETS, second, '0,1', { swaps: false })).toEqual(second);
    expect(choose(FACETS, nextWay(FACETS, second, 1)).ready?.way).toBe('3');
    expect(choose(FACETS, nextWay(FACETS, second, -1)).ready?.way).toBe('3');
  });

  it('swaps the piece on a place where only another one goes, if the game likes that', () => {
    const start = { ...NO_SELECTION, piece: 'a' };
    expect(selectPlace(FACETS, start, '5,5', { swaps: true })).toEqual({
      piece: 'b',
      place: '5,5',
      way: null,
    });
    expect(selectPlace(FACETS, start, '5,5', { swaps: false })).toBeNull();
    expect(selectPlace(FACETS, start, '9,9', { swaps: true })).toBeNull();
  });

  it('keeps the place when the piece is flipped, if it fits there too', () => {
    const there = { piece: 'a', place: '0,1', way: '3' };
    expect(nextPiece(FACETS, there, ['a', 'b'])).toEqual({ piece: 'b', place: '0,1', way: null });
    expect(selectPiece(FACETS, { ...there, place: '1,1' }, 'b').place).toBeNull();
  });

  it('is ready at once with a piece that needs no place, but only when it is asked for', () => {
    const market = [option('take red', null, ''), option('take blue', null, '')];
    expect(choose(market, NO_SELECTION).ready).toBeNull();
    expect(choose(market, { ...NO_SELECTION, piece: 'take blue' }).ready?.piece).toBe('take blue');
    expect(choose(market.slice(0, 1), NO_SELECTION).ready).toBeNull();
  });
});

describe('choosing several places in one go', () => {
  const bones = ['a', 'b', 'c'].map((place) => option('up', place, '', 1));
  const places = (taken: readonly MoveOption[] | null) => taken?.map((each) => each.place);
  const pointAt = (several: MultiSelect, ...at: string[]) =>
    at.reduce<MoveOption[] | null>((taken, place) => togglePlace(bones, several, taken ?? [], place), []);

  it('takes one more for each, and one back that is pointed at again', () => {
    expect(places(pointAt({ most: 2 }, 'a', 'b'))).toEqual(['a', 'b']);
    expect(places(pointAt({ most: 2 }, 'a', 'b', 'a'))).toEqual(['b']);
  });
  it('takes no more than allowed, and nothing that is not there', () => {
    expect(pointAt({ most: 2 }, 'a', 'b', 'c')).toBeNull();
    expect(pointAt({ most: 2 }, 'elsewhere')).toBeNull();
  });
  it('takes a place as often as it has something to give, and then back', () => {
    const several: MultiSelect = { most: 3, times: () => 3 };
    expect(places(pointAt(several, 'a', 'a', 'b'))).toEqual(['a', 'a', 'b']);
    expect(places(pointAt(several, 'a', 'a', 'b', 'a'))).toEqual(['a', 'b']);
  });
  it('takes one instead of another that it excludes', () => {
    const several: MultiSelect = {
      most: 3,
      excludes: (one, other) => one.place !== other.place && other.place !== 'c',
    };
    expect(places(pointAt(several, 'c', 'a', 'b'))).toEqual(['c', 'b']);
  });
  it('begins with everything if everything may be taken', () => {
    expect(places(selectAll(bones, { most: 3 }))).toEqual(['a', 'b', 'c']);
    expect(selectAll(bones, { most: 2 })).toEqual([]);
    expect(selectAll(bones, { most: 3, times: () => 3 })).toEqual([]);
    expect(selectAll(bones, { most: 3, excludes: (one, other) => one.place !== other.place })).toEqual([]);
  });
});
