import { describe, expect, it } from 'vitest';
import { guide } from './guide';
import { PAINTED, picture } from './art';
import {
  attempt,
  changes,
  describe as words,
  facets,
  keyOf,
  nameLines,
  NET,
  prompt,
  readKey,
  sources,
  spaces,
  swaps,
  taken,
  tankOf,
  tap,
  type AquaMove,
  type AquaView,
} from './board';
import { diagrams } from './diagrams';
import { frameOf, onBoard, tanks } from './layout';
import { choose, NOTHING } from '../../lib/kit/choosing';

const example = () => structuredClone(diagrams[1]?.view) as AquaView;

/** Two tanks and a store. */
function table(): AquaView {
  const view = example();
  view.seats = 2;
  view.position.seats.push(structuredClone(diagrams[0]?.view as AquaView).position.seats[0]!);
  view.position.store = ['Seahorse', 'Anthias'];
  view.extra.values.push([
    [1, 1, 1],
    [1, 2, 1],
    [1, 1, 1],
  ]);
  view.extra.reasons.push([]);
  view.extra.due = [0];
  return view;
}
const take = (card: string, space: string, points = 0): AquaMove => ({
  kind: 'take',
  card,
  space,
  replaces: 'Water',
  move: `take ${card}@${space}`,
  words: '',
  points,
});
const net = (one: string, two: string, points = 0): AquaMove => ({
  kind: 'net',
  spaces: [one, two],
  move: `net ${one} ${two}`,
  words: '',
  points,
});

describe('pictures', () => {
  it('has one for every card of the box, and a family picture for others', () => {
    expect(PAINTED).toHaveLength(34);
    for (const name of PAINTED)
      expect(picture(name, 'water').flatMap((figure) => figure.parts).length).toBeGreaterThan(1);
    expect(picture('Somebody’s Own Fish', 'fish')).toBe(picture('Clownfish', 'fish'));
  });
  it('is made of numbers', () => {
    for (const name of PAINTED)
      for (const figure of picture(name, 'fish'))
        for (const part of figure.parts) expect(part.d).not.toMatch(/NaN|undef/);
  });
});

describe('tanks', () => {
  it('do not overlap, whatever the number of players and the screen', () => {
    for (const tall of [true, false])
      for (const seats of [2, 3, 4]) {
        const places = tanks(seats, 1, tall);
        expect(places.map((tank) => tank.seat).sort()).toEqual([...Array(seats).keys()]);
        const spots = places.flatMap((tank) => [0, 8].map((space) => onBoard(tank, space)));
        const frame = frameOf(places, tall);
        for (const { x, y } of spots) {
          expect(x).toBeGreaterThan(frame.x);
          expect(x).toBeLessThan(frame.x + frame.width);
          expect(y).toBeLessThan(frame.y + frame.height);
        }
        expect(new Set(spots.map(({ x, y }) => `${x},${y}`)).size).toBe(spots.length);
      }
  });
  it('have keys of their own', () => {
    const view = table();
    expect(keyOf(view, 'b2', 0)).toBe('b2');
    expect(keyOf(view, 'b2', 1)).toBe('1.b2');
    expect(readKey(view, '1.b2')).toEqual({ seat: 1, space: 'b2' });
    expect(spaces(view)).toHaveLength(18);
    expect(spaces(view)[4]?.label).toBe('b2: Hermit Crab, crustacean, 5 points; 2, +1 per adjacent plant');
  });
  it('show my secret cards to me', () => {
    const view = table();
    view.extra.plan = { grid: [['Diver']], values: [[3]], points: 3, reasons: [], gains: { Diver: { a1: 7 } } };
    expect(tankOf(view, 0).cards).toEqual(['Diver']);
    expect(tankOf(view, 1).cards).toHaveLength(9);
    const put: AquaMove = { kind: 'put', card: 'Diver', space: 'a1', replaces: 'Water', move: 'put', words: '' };
    expect(choose(facets(view, [put]), NOTHING).places.get('a1')).toBe(7);
  });
});

describe('choosing', () => {
  it('takes a card, then a space', () => {
    const view = table();
    const all = facets(view, [take('Seahorse', 'a1', 3), take('Seahorse', 'b1'), net('a1', 'b1', -1)]);
    expect(choose(all, NOTHING).piece).toBeNull();
    const choice = choose(all, { piece: 'Seahorse', place: 'a1', way: null });
    expect(choice.places).toEqual(
      new Map([
        ['a1', 3],
        ['b1', 0],
      ]),
    );
    expect(choice.ready && words(view, choice.ready)).toBe('Take Seahorse to a1 (+3)? Water goes to the store.');
  });
  it('catches two cards with the net, one after the other', () => {
    const view = table();
    const all = facets(view, [net('a1', 'b1', -1), net('a1', 'c1', 2)]);
    const first = tap(view, all, { piece: NET, place: null, way: null }, 'a1');
    expect(first).toEqual({ piece: 'net a1', place: null, way: null });
    const choice = choose(all, { piece: 'net a1', place: 'c1', way: null });
    expect(choice.places.get('b1')).toBe(-1);
    expect(choice.ready?.move.move).toBe('net a1 c1');
    expect(attempt(view, choice, 'c3')).toBe('net a1 c3');
    expect(tap(view, all, { piece: 'net a1', place: null, way: null }, 'a1')?.piece).toBe(NET);
    expect(prompt(view, choice, NOTHING)).toContain('The net holds Driftwood on a1');
  });
  it('lets one look at any card', () => {
    const view = table();
    const looked = tap(view, [], NOTHING, '1.b2');
    expect(looked).toEqual({ piece: null, place: '1.b2', way: null });
    expect(prompt(view, choose([], NOTHING), tap(view, [], NOTHING, 'b2') ?? NOTHING)).toContain('Here it makes 5.');
  });
});

describe('what changed', () => {
  it('is a card that was taken: the replaced one lies in its place', () => {
    const before = table();
    const now = structuredClone(before);
    now.position.seats[1]!.grid[1]![1] = 'Seahorse';
    now.position.store = ['Clownfish', 'Anthias'];
    expect(taken(before, now)).toEqual({ seat: 1, space: 4, slot: 0, card: 'Seahorse' });
    expect(taken(before, before)).toBeNull();
  });
  it('is two cards that were swapped', () => {
    const before = table();
    const now = structuredClone(before);
    now.position.seats[0]!.grid[1] = ['Hermit Crab', 'Cardinalfish', 'Manatee Grass'];
    expect(swaps(before, now)).toEqual([
      { from: '0.3', to: '0.4' },
      { from: '0.4', to: '0.3' },
    ]);
    expect(taken(before, now)).toBeNull();
  });
  it('is told by space', () => {
    const lines = [
      { seat: 0, points: -1, where: ['a1'] },
      { seat: 0, points: 3, where: ['a1'] },
      { seat: 0, points: 1, where: ['b2'] },
      { seat: 1, points: 9, where: ['c3'] },
    ];
    expect(changes(lines, 0)).toEqual(
      new Map([
        ['a1', 2],
        ['b2', 1],
      ]),
    );
  });
});

it('tells where the points come from', () => {
  expect(Object.fromEntries(sources(example())[0] ?? [])).toEqual({
    fish: 5,
    crustacean: 5,
    gravel: 8,
    decor: 12,
    plant: 12,
  });
});

it('breaks long names in two', () => {
  expect(nameLines('Clownfish')).toEqual(['Clownfish']);
  expect(nameLines("Dragon's Tongue Algae")).toEqual(["Dragon's", 'Tongue Algae']);
});

it('guides in six to ten steps', () => {
  expect(guide.steps.length).toBeGreaterThanOrEqual(6);
  expect(guide.steps.length).toBeLessThanOrEqual(10);
  for (const step of guide.steps) if (step.expect) expect(() => new RegExp(step.expect ?? '')).not.toThrow();
});
