/**
 * Quick phrases: things to say with one press. A phrase is sent as a line of chat that consists of its id between colons, and
 * is shown in the words, or as the picture, of whoever reads it.
 */

export const PHRASES = {
  hello: 'Hello!',
  luck: 'Good luck!',
  moment: 'One moment, please.',
  nice: 'What a move!',
  oops: 'Oops!',
  thanks: 'Thank you!',
  played: 'Well played!',
  bye: 'Good night!',
} as const;

/** Phrases that are pictures, with what they show. */
export const PICTURES = {
  sun: 'The sun shines',
  clouds: 'Clouds',
  rain: 'Rain',
  thunder: 'Thunder and lightning',
  rainbow: 'A rainbow',
  snow: 'Snow',
  umbrella: 'An umbrella',
  wellies: 'Wellies in a puddle',
} as const;

export type Phrase = keyof typeof PHRASES;
export type Picture = keyof typeof PICTURES;

/** The line of chat that says a phrase. */
export const lineFor = (id: Phrase | Picture): string => `:${id}:`;

/** What a line of chat says: words, or a picture with its words. */
export function readLine(text: string): { words: string; picture: Picture | null } {
  const id = /^:([a-z]+):$/.exec(text.trim())?.[1] ?? '';
  if (Object.hasOwn(PHRASES, id)) return { words: PHRASES[id as Phrase], picture: null };
  if (Object.hasOwn(PICTURES, id)) return { words: PICTURES[id as Picture], picture: id as Picture };
  return { words: text, picture: null };
}
