/** Good Puppies' cards read large: a pup with its trick, a group with its bones and bonus, and all cards of the box. */
import type { BoxCard } from '../../lib/api/generated/view-puppies';
import type { CardDetail, CatalogueGroup, DetailLine } from '../../lib/inspect/inspect';
import { counted, seatName } from '../../lib/text';
import { deckOf, DOGGOS, groupName, number, USUAL, tensOf, titleOf, trickOf, type Deck } from './material';
import { counts, levelOf, VALUES } from './material';
import { focusOf } from './layout';
import type { PuppiesView } from './board';

const BONE =
  'A bone is a card buried face down. It is worth the number on top; turned up it becomes 2, then 5, then 10, and no more.';

export function inspect(view: PuppiesView, key: string, names: string[]): CardDetail | null {
  const [first = '', second = ''] = key.split(':');
  switch (first) {
    case 'card':
    case 'park':
      return pup(view, Number(second));
    case 'round': {
      const card = second.includes('.') ? chosen(view, second) : Number(second);
      return card === null ? null : pup(view, card);
    }
    case 'deck':
    case 'yard':
      return null;
  }
  if (/^\d+$/.test(first)) return group(view, Number(first), second, key, names);
  if (levelOf(Number(second)) >= 0) return bone(view, first, Number(second));
  return group(view, focusOf(view), first, key, names);
}

/** The card that a seat has chosen, if the viewer may see it. `slot` is "seat.index". */
function chosen(view: PuppiesView, slot: string): number | null {
  const [seat = 0, which = 0] = slot.split('.').map(Number);
  const card = [view.position.seats[seat]?.chosen ?? []].flat()[which];
  return typeof card === 'number' ? card : null;
}

function pup(view: PuppiesView, card: number): CardDetail | null {
  if (!Number.isInteger(card) || card < 0 || card > 99) return null;
  const deck = deckOf(view);
  const breed = deck.breeds[Math.floor(card / 10)];
  const { text } = trickOf(deck, card);
  const paragraphs = [text];
  if (/\bN\b/.test(text)) paragraphs.push(nWords(view, card, breed?.key));
  if (breed) paragraphs.push(`The ${breed.name}' bonus at the end: ${breed.bonus}`);
  else paragraphs.push('It joins any group for good and counts as one of its breed.');
  return {
    card: number(card),
    title: titleOf(deck, card),
    kind: `${breed?.one ?? 'Special Doggo'}, number ${number(card)}`,
    text: paragraphs,
    lines: [],
    total: null,
  };
}

/** What N means, and its value for a pup that I could still play. */
function nWords(view: PuppiesView, card: number, breed: string | undefined): string {
  const own = view.seat === null ? undefined : view.position.seats[view.seat];
  const what = 'N is the number of pups in its group, itself included';
  if (!own || breed === undefined) return `${what}.`;
  const mates = own.groups.find((each) => each.breed === breed)?.pups ?? [];
  return mates.includes(card) ? `${what}.` : `${what}: ${mates.length + 1} with you now.`;
}

function bone(view: PuppiesView, breed: string, value: number): CardDetail | null {
  const deck = deckOf(view);
  const bones = view.position.seats[focusOf(view)]?.groups.find((each) => each.breed === breed)?.bones;
  const n = counts(bones ?? [])[levelOf(value)] ?? 0;
  if (!n) return null;
  return {
    card: `bone ${value}`,
    title: n === 1 ? `A bone worth ${value}` : `${n} bones worth ${value}`,
    kind: `Buried by the ${groupName(deck, breed)}`,
    text: [BONE],
    lines: [{ points: n * value, why: counted(n, 'bone'), places: [breed] }],
    total: n * value,
  };
}

function group(view: PuppiesView, seat: number, breed: string, key: string, names: string[]): CardDetail | null {
  const deck = deckOf(view);
  const found = view.position.seats[seat]?.groups.find((each) => each.breed === breed);
  if (!found) return null;
  const tens = tensOf(deck, breed);
  const bonus = view.extra.bonuses[seat]?.find((each) => each.breed === breed);
  const worth = found.bones.reduce((sum, value) => sum + value, 0);
  const over = view.outcome !== null;
  const mine = seat === focusOf(view);
  const places = mine
    ? VALUES.filter((value) => found.bones.includes(value)).map((value) => `${breed}:${value}`)
    : [key];
  const lines: DetailLine[] = found.bones.length
    ? [{ points: worth, why: `Bones: ${found.bones.join(' + ')}`, places }]
    : [];
  if (bonus && bonus.points) {
    const turns = bonus.bones.map(([before, after]) => `${before} becomes ${after}`).join(', ');
    const why = over ? `Bonus: ${turns}` : `Bonus at the end, as it stands: ${turns}`;
    lines.push({ points: bonus.points, why, places: [], later: !over });
  }
  const whose = seat === view.seat ? 'your' : `${seatName(names, seat)}'s`;
  return {
    card: `breed ${tens}`,
    title: groupName(deck, breed),
    kind: `${counted(found.pups.length, 'pup')} in ${whose} yard`,
    text: [
      tens === DOGGOS ? 'Doggos that belong to no breed yet.' : `Bonus at the end: ${deck.breeds[tens]?.bonus ?? ''}`,
    ],
    parts: found.pups.map((card) => ({
      card: number(card),
      title: `${number(card)} ${titleOf(deck, card)}.`,
      text: trickOf(deck, card).text,
    })),
    lines,
    total: worth + (over ? (bonus?.points ?? 0) : 0),
  };
}

// --- the catalogue ------------------------------------------------------------------------------------------------------

interface Row {
  name: string;
  text: string;
  note: string | undefined;
}
/** The server lists the usual cards; the view tells what other cards do. */
function rowsOf(view: PuppiesView | null, box: readonly unknown[]): Record<BoxCard['kind'], Row[]> {
  if (view && view.position.options.cards !== 'balanced') {
    const deck = deckOf(view);
    const plain = (list: readonly { name: string; text: string }[]): Row[] =>
      list.map((each) => ({ ...each, note: undefined }));
    return {
      breed: deck.breeds.map((each) => ({ name: each.name, text: each.bonus, note: undefined })),
      trick: plain(deck.tricks),
      Doggo: plain(deck.doggos),
    };
  }
  const rows: Record<BoxCard['kind'], Row[]> = { breed: [], trick: [], Doggo: [] };
  for (const { kind, name, text, source } of box as BoxCard[])
    rows[kind].push({ name, text, note: source.startsWith('reconstructed') ? 'Reconstructed.' : undefined });
  return rows;
}

export function catalogue(view: PuppiesView | null, box: readonly unknown[]): CatalogueGroup[] {
  const rows = rowsOf(view, box);
  const entry = (row: Row, card: string, kind: string, count: string): CardDetail => ({
    card,
    title: row.name,
    kind,
    text: [row.text],
    lines: [],
    total: null,
    count,
    note: row.note,
  });
  return [
    {
      title: 'Breeds and their bonus at the end',
      cards: rows.breed.map((row, i) => entry(row, `breed ${i}`, `Cards ${i}0 to ${i}9`, '10 in the box')),
    },
    {
      title: 'Tricks (N is the number of pups in the group, the new one included)',
      cards: rows.trick.map((row, i) =>
        entry(row, `trick ${i}`, `Every pup whose number ends in ${i}`, '9 in the box'),
      ),
    },
    {
      title: 'Special Doggos, who join any group',
      cards: rows.Doggo.map((row, i) => entry(row, String(90 + i), `Card ${90 + i}`, '1 in the box')),
    },
  ];
}

export const deckFor = (view: PuppiesView | null): Deck => (view ? deckOf(view) : USUAL);
