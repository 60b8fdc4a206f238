import { describe, expect, it } from 'vitest';
import { DEFAULT_AREA } from '../../lib/board/boardArea.svelte';
import { PAINTED, picture } from './art';
import {
  attempt,
  changes,
  describe as words,
  options,
  keyOf,
  NET,
  prompt,
  readKey,
  sources,
  spaces,
  swaps,
  taken,
  tankOf,
  tap,
  waiting,
  type AquaMove,
  type AquaView,
} from './board';
import { diagrams } from './diagrams';
import { faceOf, ROOMY, shortText } from './layout';
import { cardKey, catalogue, inspect } from './inspect';
import { frameOf, onBoard, tanks } from './layout';
import type { Preview } from '../../lib/api/types';
import type { InspectContext } from '../../lib/inspect/inspect';
import { choose, NO_SELECTION } from '../../lib/board/selection';

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
  view.due = [0];
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
    expect(spaces(view, [], DEFAULT_AREA)).toHaveLength(18);
    expect(spaces(view, [], DEFAULT_AREA)[4]?.label).toBe(
      'b2: Hermit Crab, crustacean, 5 points; 2, +1 per adjacent plant',
    );
  });
  it('show my secret cards to me', () => {
    const view = table();
    view.extra.plan = { grid: [['Diver']], values: [[3]], points: 3, reasons: [], gains: { Diver: { a1: 7 } } };
    expect(tankOf(view, 0).cards).toEqual(['Diver']);
    expect(tankOf(view, 1).cards).toHaveLength(9);
    const put: AquaMove = { kind: 'put', card: 'Diver', space: 'a1', replaces: 'Water', move: 'put', words: '' };
    expect(choose(options(view, [put]), NO_SELECTION).places.get('a1')).toBe(7);
  });
});

describe('choosing', () => {
  it('takes a card, then a space', () => {
    const view = table();
    const all = options(view, [take('Seahorse', 'a1', 3), take('Seahorse', 'b1'), net('a1', 'b1', -1)]);
    expect(choose(all, NO_SELECTION).piece).toBeNull();
    const choice = choose(all, { piece: 'Seahorse', place: 'a1', way: null });
    expect(choice.places).toEqual(
      new Map([
        ['a1', 3],
        ['b1', 0],
      ]),
    );
    expect(choice.ready && words(view, choice.ready)).toBe('Take Seahorse in place of Water (+3)?');
  });
  it('catches two cards with the net, one after the other', () => {
    const view = table();
    const all = options(view, [net('a1', 'b1', -1), net('a1', 'c1', 2)]);
    const first = tap(view, all, { piece: NET, place: null, way: null }, 'a1');
    expect(first).toEqual({ piece: 'net a1', place: null, way: null });
    const choice = choose(all, { piece: 'net a1', place: 'c1', way: null });
    expect(choice.places.get('b1')).toBe(-1);
    expect(choice.ready?.move.move).toBe('net a1 c1');
    expect(attempt(view, choice, 'c3')).toBe('net a1 c3');
    expect(tap(view, all, { piece: 'net a1', place: null, way: null }, 'a1')?.piece).toBe(NET);
    expect(prompt(view, choice, NO_SELECTION)).toContain('The net holds Driftwood. ');
  });
  it('lets one look at any card', () => {
    const view = table();
    const looked = tap(view, [], NO_SELECTION, '1.b2');
    expect(looked).toEqual({ piece: null, place: '1.b2', way: null });
    expect(prompt(view, choose([], NO_SELECTION), tap(view, [], NO_SELECTION, 'b2') ?? NO_SELECTION)).toContain(
      'Here it makes 5.',
    );
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

describe('what stands on a card', () => {
  it('is never smaller than one can read, at any size', () => {
    for (const unit of [0.5, 0.64, 0.79, 0.9, 1, 1.3])
      for (const name of PAINTED) {
        const face = faceOf(name, '-2 per other Moray Eel in the aquarium', unit);
        expect(face.name.size * unit).toBeGreaterThan(11);
        expect(face.text.size * unit).toBeGreaterThan(11);
        expect(face.band).toBeLessThan(66);
        expect(face.text.lines.length > 0).toBe(unit >= ROOMY);
      }
  });
  it('is a large name on one line where it fits, and on two where it does not', () => {
    const lines = (name: string, unit: number) => faceOf(name, '', unit).name.lines.map((line) => line.text);
    expect(lines('Clownfish', 0.64)).toEqual(['Clownfish']);
    expect(lines("Dragon's Tongue Algae", 0.79)).toEqual(["Dragon's", 'Tongue Algae']);
    expect(faceOf('Clownfish', '', 1.3).name.size).toBe(14);
  });
  it('is the text in few words', () => {
    expect(shortText('+4 if there is an Asterina Starfish in the aquarium')).toBe(
      '+4 if Asterina Starfish in the tank',
    );
    expect(shortText('+1 per adjacent plant')).toBe('+1 per adjacent plant');
  });
});

describe('waiting', () => {
  const names = ['Ann', 'Ben', 'Cat'];
  it('names all who choose at the same time, and says that it is nobody’s turn', () => {
    const view = table();
    view.position.phase = 'setup';
    view.due = [1, 2];
    expect(waiting(view, names)).toBe('Everybody chooses three cards; waiting for Ben and Cat.');
    view.position.phase = 'nets';
    view.due = [0, 1];
    expect(waiting(view, names)).toContain('waiting for Ben.');
    view.position.phase = 'turn';
    expect(waiting(view, names)).toBeNull();
  });
});

describe('reading a card', () => {
  const full: InspectContext = { ghost: null, preview: null, entries: [] };
  it('tells its text, its points line by line and the places that bring them; they sum to what it makes', () => {
    const detail = inspect(table(), 'b2', ['Ann', 'Ben'], full);
    expect(detail).toMatchObject({ title: 'Hermit Crab', kind: 'Crustacean in your tank', total: 5 });
    expect(detail?.text).toEqual(['+1 per adjacent plant']);
    expect(detail?.lines).toEqual([
      { points: 2, why: 'On the card', places: [] },
      { points: 3, why: '+1 per adjacent plant (Spaghetti Algae, Manatee Grass)', places: ['b1', 'c2', 'b3'] },
    ]);
  });
  it('works in the tanks of others, and their places are theirs', () => {
    const view = table();
    view.extra.reasons[1] = [{ space: 'b2', points: -3, of: ['a1'], why: 'Clownfish: -3 per adjacent fish' }];
    view.extra.values[1] = [
      [1, 1, 1],
      [1, 0, 1],
      [1, 1, 1],
    ];
    view.extra.cards['Clownfish'] = { type: 'fish', base: 2, text: '' };
    const detail = inspect(view, '1.b2', ['Ann', 'Ben']);
    expect(detail?.kind).toBe("Fish in Ben's tank");
    expect(detail?.lines.map((line) => line.points)).toEqual([2, -3, 1]);
    expect(detail?.lines[1]?.places).toEqual(['1.a1']);
    expect(detail?.total).toBe(0);
  });
  it('works in the store, and for a card that is tried on a space', () => {
    const view = table();
    view.extra.cards['Seahorse'] = { type: 'fish', base: 2, text: '+1 per adjacent plant or coral' };
    expect(inspect(view, cardKey('Seahorse'), [])).toMatchObject({ title: 'Seahorse', total: null, lines: [] });
    expect(inspect(view, cardKey('Nothing'), [])).toBeNull();
    const [ghost] = options(view, [take('Seahorse', 'b2', 4)]);
    const line = { seat: 0, rule: '', points: 4, where: ['b2', 'c2'], why: 'Seahorse: base' };
    const preview = {
      type: 'preview',
      re: 0,
      move: '',
      words: '',
      gains: [4, 0],
      events: [],
      lines: [line],
    } as unknown;
    const detail = inspect(view, 'b2', [], { ghost: ghost!, preview: preview as Preview, entries: [] });
    expect(detail).toMatchObject({ title: 'Seahorse', total: 4 });
    expect(detail?.lines[0]?.places).toEqual(['b2', 'c2']);
  });
  it('lists all cards by type, and the texts of a corrected file where one is played', () => {
    const box = [
      { name: 'Clownfish', type: 'fish', base: 2, text: '', copies: 4, starter: true, source: 'reconstructed' },
      { name: 'Hermit Crab', type: 'crustacean', base: 2, text: '+1', copies: 2, starter: false, source: 'rulebook' },
    ];
    expect(catalogue(null, box).map((group) => [group.title, group.cards.map((card) => card.title)])).toEqual([
      ['Fish', ['Clownfish']],
      ['Crustacean', ['Hermit Crab']],
    ]);
    const view = table();
    view.position.options.cards = {
      cards: [{ name: 'Hermit Crab', copies: 3, type: 'crustacean', base: 7, bonuses: [], source: 'box' }],
    };
    const [only] = catalogue(view, box);
    expect(only?.cards[0]).toMatchObject({ kind: '7 points', count: '3 in the box', text: ['+1 per adjacent plant'] });
  });
});
