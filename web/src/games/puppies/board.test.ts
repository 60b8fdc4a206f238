import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Entry, GameEvent } from '../../lib/api/types';
import { choose, NO_SELECTION, togglePlace } from '../../lib/board/selection';
import {
  asked,
  attempt,
  bonesWords,
  boneHops,
  describe as say,
  options,
  filled,
  forced,
  parkedSince,
  placesOf,
  prompt,
  several,
  spacesOf,
  startPiece,
  trackBones,
  waiting,
  type PuppiesMove,
} from './board';
import { deckOf, groupName, USUAL, tensOf, titleOf, trickOf, wrapped } from './material';
import { diagrams } from './diagrams';
import { lookOf } from './art';
import { layoutOf, roundOf, type Area } from './layout';
import type { PuppiesView } from './board';

const NAMES = ['Ada', 'Bo', 'Cy'];
const WIDE: Area = { width: 1104, height: 632 };
const PHONE: Area = { width: 390, height: 470 };
const ROOMS: [string, Area][] = [
  ['1440x900', WIDE],
  ['1280x800', { width: 944, height: 532 }],
  ['768x1024', { width: 768, height: 756 }],
  ['390x844', PHONE],
];

function table(position: Partial<PuppiesView['position']> = {}, more: Partial<PuppiesView> = {}): PuppiesView {
  return {
    game: 'puppies',
    seat: 0,
    seats: 2,
    active: [0],
    due: [0],
    scores: [4, 0],
    outcome: null,
    position: {
      game: 'puppies',
      options: { extended: false, strategic: false, cards: 'balanced' },
      round: 3,
      final: false,
      phase: 'choose',
      park: [12, 45, 90],
      deck: 20,
      box: 55,
      seats: [
        {
          hand: [7, 41, 83],
          open: [41],
          chosen: null,
          groups: [
            { breed: 'huskies', pups: [44, 92], bones: [1, 1, 2] },
            { breed: 'pugs', pups: [3], bones: [] },
          ],
        },
        { hand: [60, '?', '?'], open: [60], chosen: '?', groups: [{ breed: 'huskies', pups: [40], bones: [10] }] },
      ],
      ...position,
    },
    extra: { asks: '', bonuses: [[{ breed: 'huskies', points: 3, bones: [[2, 5]] }], []] },
    ...more,
  };
}
const trick = (asks: string): PuppiesView =>
  table(
    {
      phase: 'trick',
      turns: [{ seat: 0, card: 44 }],
      tricks: [{ card: 44, here: 'huskies', n: 2, part: 0, done: 1 }],
    },
    { extra: { asks, bonuses: [[], []] } },
  );
const event = (kind: string, seat: number, data: Record<string, unknown>): GameEvent => ({
  kind,
  seat,
  data,
  text: '',
  lines: [],
});
const entry = (number: number, ...events: GameEvent[]): Entry =>
  ({ number, at: 0, kind: 'move', seat: 0, move: '', text: '', events }) as unknown as Entry;

describe('the cards', () => {
  it('say what the rules page says', () => {
    const rules = readFileSync(new URL('../../../../src/wellies/games/puppies/rules.md', import.meta.url), 'utf8');
    const rows = [...rules.matchAll(/^\| (\S+) \| ([^|]+) \| ([^|]+) \|$/gm)].map((row) => row.slice(1, 4));
    const known = [
      ...USUAL.tricks.map((each, i) => [`x${i}`, each.name, each.text]),
      ...USUAL.doggos.map((each, i) => [`9${i}`, each.name, each.text]),
      ...USUAL.breeds.map((each, i) => [`${i}x`, each.name, each.bonus]),
    ];
    for (const row of known) expect(rows).toContainEqual(row);
  });
  it('have names, groups and a look of their own', () => {
    expect(titleOf(USUAL, 41)).toBe('Proud Husky');
    expect(titleOf(USUAL, 90)).toBe('Aloof Doggo');
    expect(tensOf(USUAL, 'pitbulls')).toBe(5);
    expect(groupName(USUAL, 'doggos')).toBe('Doggos');
    expect(lookOf(7).mood).toBe('playful');
    expect(new Set(Array.from({ length: 9 }, (_, tens) => JSON.stringify(lookOf(tens * 10).coat))).size).toBe(9);
    expect(lookOf(95).doggo).toBe(true);
  });
  it('say in few words what they do, where they are small', () => {
    for (const each of [...USUAL.tricks, ...USUAL.doggos])
      expect(wrapped(each.short, 10, 9).length, each.name).toBeLessThanOrEqual(4);
    expect(wrapped('Bury N bones here, then upgrade one.', 12, 2)).toEqual(['Bury N bones', 'here, then…']);
  });
  it('are the first ones, in the words of the server, at a table that began with them', () => {
    const options = { extended: false, strategic: false, cards: 'standard' as const };
    const texts = {
      tricks: USUAL.tricks.map((each) => `First ${each.name}`),
      doggos: USUAL.doggos.map((each) => `First ${each.name}`),
      bonuses: USUAL.breeds.map((each) => `First ${each.name}`),
    };
    const told = deckOf({ position: { options }, extra: { texts } });
    expect(told.tricks.map((each) => each.name)).toEqual(USUAL.tricks.map((each) => each.name));
    expect(told.tricks[0]?.text).toBe('First Sleepy');
    expect(told.doggos[8]?.text).toBe('First Regal');
    expect(told.breeds[7]?.bonus).toBe('First Shibas');
  });

  it('take the names of a corrected file, and what they do from the server', () => {
    const options = {
      extended: false,
      strategic: false,
      cards: {
        breeds: [{ digit: 4, name: 'Great Danes', one: 'Great Dane' }],
        tricks: [{ digit: 1, name: 'Haughty' }],
      },
    };
    const plain = deckOf({ position: { options }, extra: {} });
    expect(titleOf(plain, 41)).toBe('Haughty Great Dane');
    expect(trickOf(plain, 41).text).toBe('');
    expect(tensOf(plain, 'greatdanes')).toBe(4);
    expect(trickOf(plain, 6).name).toBe('Hungry');
    const texts = {
      tricks: Array.from({ length: 10 }, (_, i) => `Trick ${i}.`),
      doggos: Array.from({ length: 10 }, (_, i) => `Doggo ${i}.`),
      bonuses: Array.from({ length: 9 }, (_, i) => `Bonus ${i}.`),
    };
    const told = deckOf({ position: { options }, extra: { texts } });
    expect(trickOf(told, 41).text).toBe('Trick 1.');
    expect(trickOf(told, 93).text).toBe('Doggo 3.');
    expect(told.breeds[4]?.bonus).toBe('Bonus 4.');
  });
});

describe('the layout', () => {
  const full = (seats: number, breeds: number): PuppiesView => {
    const view = table();
    const groups = USUAL.breeds
      .slice(0, breeds)
      .map((each, i) => ({ breed: each.key, pups: [i * 10, i * 10 + 1], bones: [1, 1, 2, 5, 10] }));
    view.position.seats = Array.from({ length: seats }, () => ({ hand: [], open: [], chosen: null, groups }));
    view.position.park = Array.from({ length: seats + 1 }, (_, i) => i * 10 + 5);
    return view;
  };
  it.each(ROOMS)('keeps every place of mine inside the frame, and no two keys alike, at %s', (_, room) => {
    for (const seats of [2, 3, 4, 5]) {
      const view = full(seats, 6);
      const layout = layoutOf(view, room);
      const spaces = spacesOf(view, layout, NAMES);
      expect(new Set(spaces.map((space) => space.key)).size).toBe(spaces.length);
      const { x, y, width, height } = layout.box;
      const inside = layout.groups.filter((spot) => spot.mine || room.width > room.height * 1.15);
      for (const spot of [...layout.park, ...layout.line, ...inside]) {
        expect(spot.x - spot.w / 2).toBeGreaterThanOrEqual(x);
        expect(spot.x + spot.w / 2).toBeLessThanOrEqual(x + width);
        expect(spot.y - spot.h / 2).toBeGreaterThanOrEqual(y);
        expect(spot.y + spot.h / 2).toBeLessThanOrEqual(y + height);
      }
      if (layout.pills) continue;
      const line = layout.line.map((slot) => slot.x - slot.w / 2);
      const park = layout.park.map((spot) => spot.x + spot.w / 2);
      expect(Math.min(...line)).toBeGreaterThan(Math.max(...park));
    }
  });
  it.each(ROOMS)('makes bones large enough to read and to hit, at %s', (_, room) => {
    for (const seats of [2, 5])
      for (const breeds of [2, 4, 6]) {
        const layout = layoutOf(full(seats, breeds), room);
        // The number on a bone is 25 units high before it is scaled, and a unit is a pixel when the board is fitted.
        const scale = Math.min(room.width / layout.box.width, room.height / layout.box.height);
        for (const spot of layout.groups)
          if (spot.mine || !spot.chip) expect(25 * spot.bone * scale).toBeGreaterThanOrEqual(11);
      }
  });
  it.each(ROOMS)('lets the dogs fill the yard, however few there are, at %s', (_, room) => {
    for (const breeds of [3, 5]) {
      const layout = layoutOf(full(2, breeds), room);
      const lawn = layout.yards.find((yard) => yard.mine);
      const patches = layout.groups.filter((spot) => spot.mine).reduce((sum, { w, h }) => sum + w * h, 0);
      expect(patches / ((lawn?.width ?? 0) * (lawn?.height ?? 1))).toBeGreaterThan(0.6);
    }
  });
  it('makes the dogs of a small family larger', () => {
    const scale = (breeds: number) => layoutOf(full(2, breeds), WIDE).groups[0]?.dog ?? 0;
    expect(scale(3)).toBeGreaterThan(scale(9));
  });
  it('says what each space holds', () => {
    const bones = trick('42 Brave Husky: upgrade up to N different bones here, once each (N = 2, done: 0)');
    const labels = [table(), bones].flatMap((view) =>
      spacesOf(view, layoutOf(view, WIDE), NAMES).map((space) => space.label),
    );
    expect(labels).toContain('In the park: 12 Brave Corgi. Upgrade up to N different bones here, once each.');
    expect(labels).toContain(
      'Your Huskies: 2 pups (44 Crafty, 92 Best); bones: 2 worth 1, 1 worth 2; 4 points, bonus 3 as it stands',
    );
    expect(labels).toContain('Bo: Huskies: 1 pup (40 Sleepy); bones: 1 worth 10; 10 points');
    expect(labels).toContain('A bone worth 1 (2 of 2), of the Huskies');
    expect(labels).toContain('Bo has chosen');
    expect(bonesWords([])).toBe('no bones');
  });
  it('shows who has chosen, then the turns in order, and those that are done', () => {
    expect(roundOf(table(), []).map((slot) => slot.standing)).toEqual(['waiting', 'chosen']);
    const turns = [
      { seat: 1, card: 60 },
      { seat: 0, card: 41 },
    ];
    const shown = [entry(1, event('reveal', -1, { turns }))];
    const view = table({ phase: 'take', turns: turns.slice(1) });
    expect(roundOf(view, shown).map((slot) => [slot.card, slot.standing, slot.index])).toEqual([
      [60, 'done', 0],
      [41, 'now', 1],
    ]);
    expect(roundOf(view, []).map((slot) => slot.index)).toEqual([1]);
  });
  it('draws its diagrams with places to light up', () => {
    for (const { view, lit } of diagrams) {
      const keys = spacesOf(view as PuppiesView, layoutOf(view as PuppiesView, WIDE)).map((space) => space.key);
      for (const key of lit ?? []) expect(keys).toContain(key);
    }
  });
});

describe('choosing', () => {
  const legal = (moves: object[]): PuppiesMove[] =>
    moves.map((move) => ({ move: '', words: '', ...move })) as PuppiesMove[];

  it('takes cards from the hand, and everything else on the board', () => {
    const cards = options(table(), legal([{ kind: 'choose', at: 7, card: 7 }]));
    expect(cards[0]).toMatchObject({ piece: 'choose 7', place: null });
    expect(startPiece(table(), cards)).toBeNull();
    const steps = options(
      table(),
      legal([{ kind: 'stop' }, { kind: 'up', at: 'huskies', group: 'huskies', value: 2, becomes: 5, points: 3 }]),
    );
    expect(startPiece(table(), steps)).toBe('up');
    const choice = choose(steps, { ...NO_SELECTION, piece: 'up' });
    expect([...choice.places]).toEqual([['huskies:2', 3]]);
    expect(choose(steps, { ...NO_SELECTION, piece: 'stop' }).ready?.move.kind).toBe('stop');
  });
  it('asks defaultLineText, with N and the group filled in', () => {
    const view = trick('44 Crafty Husky: move up to N bones from my other groups to here (N = 2, done: 1)');
    expect(asked(view)).toBe('move up to 2 bones from your other groups to the Huskies');
    const moves = options(view, legal([{ kind: 'move', value: 1, from: 'pugs', to: 'huskies', at: 'pugs' }]));
    expect(prompt(view, choose(moves, NO_SELECTION))).toBe(
      'Crafty Husky: move up to 2 bones from your other groups to the Huskies. Tap a glowing bone to carry it over, or leave it. 1 done.',
    );
    expect(say(view, moves[0] as (typeof moves)[0])).toBe('Carry a 1 from the Pugs to the Huskies?');
    expect(filled('upgrade one bone here up to N times', 1)).toBe('upgrade one bone here once');
    expect(filled('bury N bones here', 1)).toBe('bury 1 bone here');
  });
  it('makes a place of every bone, but for those that the trick has had', () => {
    const up = { kind: 'up', at: 'huskies', group: 'huskies', value: 1, becomes: 2, points: 1 };
    const view = trick('42 Brave Husky: upgrade up to N different bones here, once each (N = 3, done: 0)');
    expect(options(view, legal([up])).map((option) => option.place)).toEqual(['huskies:1', 'huskies:1:1']);
    view.position.tricks = [
      { card: 42, here: 'huskies', n: 3, part: 0, done: 1, touched: [{ group: 'huskies', value: 1 }] },
    ];
    expect(options(view, legal([up])).map((option) => option.place)).toEqual(['huskies:1']);
  });
  it('lets bones be chosen together, as the server says', () => {
    const taken = (view: PuppiesView, moves: object[], ...places: string[]) => {
      const all = options(view, legal(moves)).filter((option) => option.place !== null);
      const how = several(view, all);
      return places
        .reduce((found, place) => (how && togglePlace(all, how, found, place)) ?? found, [] as typeof all)
        .map((option) => option.place);
    };
    const bury = (group: string) => ({ kind: 'bury', at: group, group });
    const view = trick('48 Generous Husky: bury N bones in my other groups, divided as I like (N = 3, done: 0)');
    view.extra.most = 3;
    expect(taken(view, [bury('pugs'), bury('corgis')], 'pugs', 'pugs', 'corgis')).toEqual(['pugs', 'pugs', 'corgis']);
    view.extra.groups = 'each';
    expect(taken(view, [bury('pugs'), bury('corgis')], 'pugs', 'corgis', 'pugs')).toEqual(['corgis']);
    const up = (value: number) => ({ kind: 'up', at: 'huskies', group: 'huskies', value, becomes: 0 });
    expect(taken(view, [up(1), up(2)], 'huskies:1', 'huskies:2')).toEqual(['huskies:2']);
    expect(several(view, options(view, legal([{ kind: 'dig' }])))).toBeNull();
  });
  it('does what leaves nothing to choose, if the server says so', () => {
    const view = trick('41 Proud Husky: bury N bones here (N = 2, done: 0)');
    const all = options(
      view,
      legal([
        { kind: 'stop', move: 'stop' },
        { kind: 'bury', group: 'huskies', move: 'bury huskies' },
      ]),
    );
    expect(forced(view, all)).toBeNull();
    view.extra.plain = 'bury huskies';
    expect(forced(view, all)?.move.move).toBe('bury huskies');
  });
  it('says whom we wait for', () => {
    const view = table({}, { active: [1] });
    (view.position.seats[0] as { chosen: number }).chosen = 7;
    expect(waiting(view, NAMES)).toBe('You have chosen. Waiting for Bo.');
    expect(waiting(table({ phase: 'take' }, { active: [1] }), NAMES)).toBe('Bo takes a card from the park.');
    expect(waiting(table({}, { active: [-1] }), NAMES)).toBeNull();
  });
  it('asks the server why a place is not legal', () => {
    const choice = choose<PuppiesMove>([], NO_SELECTION);
    expect(attempt(table(), choice, 'park:12')).toBeNull();
    expect(attempt(table(), choice, 'deck')).toBeNull();
    expect(attempt(table(), choice, '1:huskies')).toBeNull();
    const bury = trick('41 Proud Husky: bury N bones here (N = 2, done: 1)');
    expect(attempt(bury, choice, 'pugs')).toBe('bury pugs');
    const up = trick('42 Brave Husky: upgrade up to N different bones here, once each (N = 2, done: 1)');
    expect(attempt(up, choice, 'pugs:5')).toBe('up 5 pugs');
    const move = trick('44 Crafty Husky: move up to N bones from my other groups to here (N = 2, done: 1)');
    expect(attempt(move, choice, 'pugs:5')).toBe('move 5 pugs huskies');
  });
});

describe('what happens', () => {
  it('is shown in the yard of whoever did it', () => {
    expect(placesOf(table(), event('bury', 0, { group: 'pugs' }))).toEqual(['pugs']);
    expect(placesOf(table(), event('bury', 1, { group: 'pugs' }))).toEqual(['1:pugs']);
    expect(placesOf(table(), event('move', 1, { from: 'pugs', to: 'huskies' }))).toEqual(['1:huskies', '1:pugs']);
    expect(placesOf(table(), event('deal', 1, {}))).toEqual([]);
  });
  it('deals only those cards to the park that came while one watched', () => {
    const news = [entry(1, event('park', -1, { card: 12 })), entry(2, event('park', -1, { card: 45 }))];
    expect([...parkedSince(news, 1)]).toEqual([45]);
    expect([...parkedSince(news, 2)]).toEqual([]);
  });
  it('lets a bone that is turned stay the same bone', () => {
    const first = trackBones([], new Map([['pugs:1', 3]]), []);
    expect(first).toHaveLength(3);
    const hops = boneHops([entry(1, event('up', 0, { group: 'pugs', value: 1, becomes: 2 }))], 0);
    const now = new Map([
      ['pugs:1', 2],
      ['pugs:2', 1],
    ]);
    const after = trackBones(first, now, hops);
    expect(new Set(after.map((bone) => bone.id))).toEqual(new Set(first.map((bone) => bone.id)));
    expect(boneHops([entry(1, event('up', 1, { group: 'pugs', value: 1, becomes: 2 }))], 0)).toEqual([]);
    const more = trackBones(after, new Map([['pugs:2', 2]]), []);
    expect(more.filter((bone) => !first.some((old) => old.id === bone.id))).toHaveLength(1);
  });
});
