/** What every board shows of its cards and tiles. The boxes have the format of the server's list. */
import { describe, expect, it } from 'vitest';
import type { Entry, Preview } from '../lib/api/types';
import type { InspectContext } from '../lib/inspect/inspect';
import { diagrams as guppiesDiagrams } from './guppies/diagrams';
import * as guppies from './guppies/inspect';
import type { GuppiesView } from './guppies/board';
import { diagrams as marramDiagrams } from './marram/diagrams';
import * as marram from './marram/inspect';
import type { MarramView } from './marram/board';
import { diagrams as puppiesDiagrams } from './puppies/diagrams';
import * as puppies from './puppies/inspect';
import type { PuppiesView } from './puppies/board';
import { diagrams as umbradecoDiagrams } from './umbradeco/diagrams';
import * as umbradeco from './umbradeco/inspect';
import type { UmbraView } from './umbradeco/board';

const laying = (at: number[], points: number, more: object = {}): Entry[] => [
  {
    number: 1,
    at: 0,
    kind: 'move',
    seat: 1,
    move: null,
    text: '',
    events: [
      {
        kind: 'lay',
        seat: 1,
        text: '',
        data: { at, ...more },
        lines: [{ seat: 1, rule: 'fish', points, where: [at], why: 'one green fish' }],
      },
    ],
  },
];
const context = (entries: Entry[]): InspectContext => ({ ghost: null, preview: null, entries });

describe('Good Puppies', () => {
  const view = () => structuredClone(puppiesDiagrams[3]?.view) as PuppiesView;
  it('tells a pup with its trick and the bonus of its breed, wherever it lies', () => {
    for (const key of ['card:31', 'park:31', 'round:31']) {
      const detail = puppies.inspect(view(), key, []);
      expect(detail).toMatchObject({ title: 'Proud Dachshund', kind: 'Dachshund, number 31', total: null });
      expect(detail?.text[0]).toBe('Bury N bones here.');
      expect(detail?.text.at(-1)).toContain('For each pup here, upgrade a bone once.');
    }
    expect(puppies.inspect(view(), 'card:30', [])?.text).toHaveLength(2);
    expect(puppies.inspect(view(), 'card:32', [])?.text[1]).toContain('4 with you now');
    expect(puppies.inspect(view(), 'card:31', [])?.text[1]).not.toContain('with you');
  });
  it('tells a group with all its pups, its bones and the bonus that is not yet counted', () => {
    const detail = puppies.inspect(view(), 'dachshunds', ['Ann']);
    expect(detail).toMatchObject({ title: 'Dachshunds', kind: '3 pups in your yard', total: 9 });
    expect(detail?.parts?.map((part) => part.text)).toEqual([
      'Bury N bones here.',
      'Each of my groups with fewer than N bones buries a bone.',
      'Bury N bones in my other groups, divided as I like.',
    ]);
    expect(detail?.lines.map((line) => [line.points, line.later ?? false])).toEqual([
      [9, false],
      [11, true],
    ]);
    expect(detail?.lines[0]?.places).toEqual(['dachshunds:2', 'dachshunds:5']);
    const over = { ...view(), outcome: { scores: [20], ranks: [1], winners: [0], reason: '' } };
    expect(puppies.inspect(over, 'dachshunds', [])?.total).toBe(20);
  });
  it('tells bones, and nothing of what is hidden or empty', () => {
    expect(puppies.inspect(view(), 'dachshunds:2', [])).toMatchObject({ title: '2 bones worth 2', total: 4 });
    for (const key of ['deck', 'yard:0', 'round:0.0', 'pugs', 'dachshunds:10', '1:pugs'])
      expect(puppies.inspect(view(), key, [])).toBeNull();
  });
  it('lists what the server lists, and a corrected file as the table tells it', () => {
    const box = [
      { card: 'x0', kind: 'trick', name: 'Sleepy', text: 'Sleeps.', source: 'reconstructed (name: rulebook)' },
      { card: '90', kind: 'Doggo', name: 'Aloof', text: 'Stands off.', source: 'rulebook' },
      { card: '0x', kind: 'breed', name: 'Pugs', text: 'Snores.', source: 'rulebook' },
    ];
    const titles = puppies.catalogue(null, box).map((group) => group.cards.map((card) => card.title));
    expect(titles).toEqual([['Pugs'], ['Sleepy'], ['Aloof']]);
    expect(puppies.catalogue(null, box)[1]?.cards[0]?.note).toBe('Reconstructed.');
    const own = view();
    own.position.options.cards = { tricks: [{ digit: 0, name: 'Haughty' }] };
    own.extra.texts = { tricks: ['Struts.'], doggos: [], bonuses: [] };
    expect(puppies.catalogue(own, box)[1]?.cards[0]).toMatchObject({ title: 'Haughty', text: ['Struts.'] });
  });
});

describe('Guppies', () => {
  const view = structuredClone(guppiesDiagrams[0]?.view) as GuppiesView;
  const [tile] = view.position.laid;
  it('tells what is at each edge, and what the tile scored when it was laid', () => {
    const detail = guppies.inspect(view, tile?.at.join() ?? '', ['Ann', 'Ben'], context(laying(tile?.at ?? [], 6)));
    expect(detail?.text[0]).toContain('east');
    expect(detail).toMatchObject({ heading: 'When Ben laid it', total: 6 });
    expect(guppies.inspect(view, '77,77', [])).toBeNull();
  });
  it('tells a ghost with what it would score, and the drawn tile', () => {
    const drawn = { ...view, position: { ...view.position, tile: ['G.....', 'SQUID'] } };
    expect(guppies.inspect(drawn, guppies.faceKey('b'), [])?.title).toBe('The rainbow squid');
    const line = { seat: 0, rule: '', points: 3, where: [[5, 5]], why: 'one green fish [at 5,5]' };
    const ghost = { piece: 'a', place: '5,5', way: '1', move: { move: '', words: '' } };
    const preview = { lines: [line] } as unknown as Preview;
    const detail = guppies.inspect({ ...drawn, seat: 0 }, '5,5', [], { ghost, preview, entries: [] });
    expect(detail).toMatchObject({ card: '.G....', total: 3, heading: 'If you play it here' });
    expect(detail?.lines[0]).toMatchObject({ why: 'One green fish', places: ['5,5'] });
  });
  it('lists all tiles in parts, the squid first', () => {
    const box = Array.from({ length: 40 }, (_, i) => ({
      tile: i + 1,
      a: i === 39 ? 'SQUID' : 'G.....',
      b: '.g....',
      source: 'reconstructed',
    }));
    expect(guppies.catalogue(null, box).map((group) => group.cards.length)).toEqual([1, 32, 7]);
  });
});

describe('Umbradeco', () => {
  const view = structuredClone(umbradecoDiagrams[2]?.view) as UmbraView;
  it('tells the upper tile of a stack and the covered one', () => {
    const detail = umbradeco.inspect(view, '0,0', []);
    expect(detail?.title).toBe('Yellow umbrella');
    expect(detail?.parts?.[0]?.title).toBe('Blue');
    expect(umbradeco.inspect(view, '9,9', [])).toBeNull();
    expect(umbradeco.inspect(view, umbradeco.tileKey('?'), [])).toBeNull();
  });
  it('does not give a pushed tile the points of the one that pushed it', () => {
    const [space] = view.position.mat;
    const key = space?.at.join() ?? '';
    expect(umbradeco.inspect(view, key, [], context(laying(space?.at ?? [], 4)))?.total).toBe(4);
    expect(umbradeco.inspect(view, key, [], context(laying([9, 9], 4, { to: space?.at })))?.total).toBeNull();
  });
  it('lists the colours', () => {
    const box = [{ colour: 'red', tiles: 8, emblem: '♥', source: 'reconstructed' }];
    expect(umbradeco.catalogue(null, box)[0]?.cards[0]).toMatchObject({ title: 'Red umbrella', count: '8 in the box' });
  });
});

describe('Marram', () => {
  it('tells every tile of its diagrams, and the features that run through it', () => {
    for (const { view } of marramDiagrams as { view: MarramView }[])
      for (const tile of view.position.laid) {
        const detail = marram.inspect(view, tile.at.join(), ['Ann', 'Ben']);
        expect(detail?.text[0]).toContain('bridge');
        for (const line of detail?.lines ?? []) expect(line.places).toContain(tile.at.join());
      }
  });
  it('counts tiles that look the same as one kind', () => {
    const tile = (n: number, spade = false) => ({
      tile: n,
      spade,
      segments: ['any body NS'],
      bridges: ['grass', spade ? 'sand' : 'grass'],
      ornaments: ['none', 'none'],
      source: 'rulebook',
    });
    const groups = marram.catalogue(null, [tile(1), tile(2), tile(3, true)]);
    expect(groups.at(-1)?.cards).toHaveLength(1);
    expect(groups.at(-1)?.cards[0]?.count).toBe('2 in the box');
    expect(groups.at(-2)?.cards[0]?.text).toHaveLength(2);
    const names = groups.flatMap((group) => group.cards.map((card) => card.card));
    expect(new Set(names).size).toBe(names.length);
  });
});
