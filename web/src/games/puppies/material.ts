/** Good Puppies' cards and bones. The names and texts of the usual cards are the server's; a test holds them against its rules page. */
import type { CardTexts, Options } from '../../lib/api/generated/view-puppies';

export interface Breed {
  key: string;
  name: string;
  one: string;
  bonus: string;
}
export interface Trick {
  name: string;
  text: string;
  /** A shorter text for small cards. */
  short: string;
}
export interface Deck {
  breeds: readonly Breed[];
  /** By the ones digit; `doggos` by the ones digit of Special Doggos. */
  tricks: readonly Trick[];
  doggos: readonly Trick[];
}

const breed = (name: string, one: string, bonus: string): Breed => ({ key: keyOf(name), name, one, bonus });
const keyOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
const trick = (name: string, text: string, short = text): Trick => ({ name, text, short });

export const USUAL: Deck = {
  breeds: [
    breed('Pugs', 'Pug', 'For every 2 pups here, upgrade a bone twice.'),
    breed('Corgis', 'Corgi', 'If no group of mine has more pups, for each pup here, upgrade a bone twice.'),
    breed('Beagles', 'Beagle', 'For each other group with fewer bones, upgrade a bone once.'),
    breed('Dachshunds', 'Dachshund', 'For each pup here, upgrade a bone once.'),
    breed('Huskies', 'Husky', 'For each Aussie I have, upgrade a bone twice.'),
    breed('Pit Bulls', 'Pit Bull', 'For each pup here, upgrade a bone that shows 1 twice.'),
    breed('Labradors', 'Labrador', 'For every 2 bones here, upgrade a bone twice.'),
    breed('Shibas', 'Shiba', 'If I have at most 6 groups, upgrade every bone once.'),
    breed('Aussies', 'Aussie', 'For each breed in my yard, upgrade a bone once.'),
  ],
  tricks: [
    trick('Sleepy', 'Bury a bone here, then upgrade one bone here.', 'Bury 1, upgrade 1'),
    trick('Proud', 'Bury N bones here.', 'Bury N'),
    trick('Brave', 'Upgrade up to N different bones here, once each.', 'Upgrade N bones'),
    trick('Friendly', 'Each of my groups with fewer than N bones buries a bone.', 'Bury 1 in each group below N'),
    trick(
      'Crafty',
      'Move up to N bones from my other groups to here, then upgrade one bone here.',
      'Move N here, upgrade 1',
    ),
    trick('Stubborn', 'Upgrade one bone here up to N times.', 'Upgrade 1 bone N times'),
    trick('Hungry', 'Bury a bone here, then bury a bone in my other groups.', 'Bury 1 here, 1 elsewhere'),
    trick('Playful', 'Draw and play 2 pups, without their tricks.', 'Draw 2 pups'),
    trick('Generous', 'Bury N bones in my other groups, divided as I like.', 'Bury N elsewhere'),
    trick('Swift', 'Upgrade one bone in each of up to N groups.', 'Upgrade 1 in N groups'),
  ],
  doggos: [
    trick('Aloof', 'Bury 2 bones in my other groups, divided as I like.', 'Bury 2 elsewhere'),
    trick('Fluffy', 'Upgrade every bone here that shows 1.', 'Upgrade all the 1s'),
    trick('Best', 'Each of my groups buries a bone.', 'Bury 1 in each group'),
    trick('Purring', 'Upgrade one bone in each of my groups.', 'Upgrade 1 in each group'),
    trick('Curious', 'Draw and play a pup, without its trick, then bury a bone here.', 'Draw a pup, bury 1'),
    trick('Napping', 'Upgrade one bone here twice.', 'Upgrade 1 bone twice'),
    trick('Prowling', 'Move any number of bones from one other group to here.', 'Move bones of one group here'),
    trick('Pouncing', 'Draw and play 3 pups, without their tricks.', 'Draw 3 pups'),
    trick(
      'Regal',
      'Bury a bone in my other groups, then upgrade up to 2 different bones here, once each.',
      'Bury 1 elsewhere, upgrade 2',
    ),
    trick('Mighty', 'Upgrade up to N different bones anywhere in my yard, once each.', 'Upgrade N anywhere'),
  ],
};

interface Named {
  digit?: number;
  card?: number;
  name?: string;
  one?: string;
}

/** The cards of a table. If they are not the usual ones, the server sends their texts; a card file has names of
 * its own. */
export function deckOf(view: { position: { options: Options }; extra: { texts?: CardTexts } }): Deck {
  const own = view.position.options.cards;
  if (own === 'balanced') return USUAL;
  const { texts } = view.extra;
  const file: Record<string, unknown> = own === 'standard' ? {} : own;
  const list = (name: string): Named[] => (Array.isArray(file[name]) ? (file[name] as Named[]) : []);
  const named = (name: 'tricks' | 'doggos', plain: readonly Trick[]): Trick[] =>
    plain.map((each, i) => {
      const found = list(name).find((other) => other.digit === i || other.card === 90 + i);
      const text = texts?.[name][i] ?? (found ? '' : each.text);
      return trick(found?.name ?? each.name, text, text === each.text ? each.short : text);
    });
  return {
    breeds: USUAL.breeds.map((each, i) => {
      const found = list('breeds').find((other) => other.digit === i);
      const name = found?.name ?? each.name;
      const bonus = texts?.bonuses[i] ?? (found ? '' : each.bonus);
      return { key: keyOf(name), name, one: found?.one ?? each.one, bonus };
    }),
    tricks: named('tricks', USUAL.tricks),
    doggos: named('doggos', USUAL.doggos),
  };
}

export const DOGGOS = 9;
export const number = (card: number): string => String(card).padStart(2, '0');

export function trickOf(deck: Deck, card: number): Trick {
  return (card >= 90 ? deck.doggos : deck.tricks)[card % 10] ?? trick('', '');
}

/** "Proud Husky", "Aloof Doggo". */
export function titleOf(deck: Deck, card: number): string {
  const breed = card >= 90 ? 'Doggo' : (deck.breeds[Math.floor(card / 10)]?.one ?? '');
  return `${trickOf(deck, card).name} ${breed}`;
}

/** The tens digit of a group; 9 for Doggos without a breed. */
export function tensOf(deck: Deck, key: string): number {
  const found = deck.breeds.findIndex((each) => each.key === key);
  return found < 0 ? DOGGOS : found;
}

export const groupName = (deck: Deck, key: string): string => deck.breeds[tensOf(deck, key)]?.name ?? 'Doggos';

/** A text in lines of at most `letters` letters, cut after `most` lines. */
export function wrapped(text: string, letters: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length > most) {
    lines.length = most;
    lines[most - 1] = `${lines[most - 1]}…`;
  }
  return lines;
}

/** The values of a bone, from the lowest to the highest. */
export const VALUES = [1, 2, 5, 10] as const;
export const levelOf = (value: number): number => VALUES.indexOf(value as 1);

/** How many bones of each value a group has. */
export function counts(bones: readonly number[]): number[] {
  return VALUES.map((value) => bones.filter((bone) => bone === value).length);
}
