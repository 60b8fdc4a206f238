/** Texts for people: the server's texts with names filled in, and small phrases of the page. */

/** The name of a seat; its number where nobody has a name. */
export const seatName = (names: readonly string[] | undefined, seat: number): string =>
  names?.[seat] ?? `Seat ${seat + 1}`;

/**
 * Every text of the server goes through this function before a person reads it. `{0}` becomes the name of seat 0. Notation
 * in square brackets is left out, because the page highlights places instead. Negative numbers get a minus sign.
 */
export function displayText(text: string, names: readonly string[]): string {
  return withMinusSigns(text).replace(/ ?\[[^[\]]*\]|\{(\d+)\}/g, (_, seat: string | undefined) =>
    seat === undefined ? '' : seatName(names, Number(seat)),
  );
}

/** Replaces the hyphen before a negative number by a minus sign. */
export const withMinusSigns = (text: string): string => text.replace(/(?<=^|[\s(:,])-(?=\d)/g, '\u2212');

/** Points with their sign: "+3", "−2". */
export const signed = (points: number): string => (points < 0 ? `\u2212${-points}` : `+${points}`);

/** A phrase of the server, such as a move in words, as a sentence; names are still to be filled in. */
export const sentence = (phrase: string): string => (phrase ? `${capitalize(phrase)}.` : '');

/** Errors whose own message speaks of notation or of the protocol: people read these texts instead. */
const ERROR_TEXTS: Record<string, string> = {
  stale: 'The table has changed since you chose. Please choose again.',
  bad_notation: 'That cannot be played here.',
  unknown_piece: 'That cannot be played here.',
  bad_message: 'The server did not understand the request. Please try again.',
  too_fast: 'Too many requests. Please wait a moment.',
};
export function errorText(code: string, message: string): string {
  return ERROR_TEXTS[code] ?? message;
}

/** The time that is left on a clock, from milliseconds. */
export function clockText(left: number): string {
  const seconds = Math.ceil(left / 1000);
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function ago(time: number, now = Date.now()): string {
  const minutes = Math.round((now - time) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  return `${Math.round(hours / 24)} d ago`;
}

/** A number and the word for what it counts: "1 choice", "2 choices". */
export const counted = (number: number, word: string, words = `${word}s`): string =>
  `${number} ${number === 1 ? word : words}`;

/** How long a game takes. */
export const minutesText = (minutes: string): string => `${minutes.replace('-', '–')} min`;

export function seatsText(least: number, most: number): string {
  return least === most ? counted(least, 'player') : `${least}–${most} players`;
}

/** "a, b and c". */
export function joinWithAnd(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const turnText = (name: string): string => `${name}'s turn`;

/** A board's prompt for one of several people on one device: it names whose turn it is instead of saying "Your turn". */
export function promptFor(name: string, prompt: string): string {
  const rest = /^Your turn(?<how>[:.,]) *(?<what>.*)$/s.exec(prompt)?.groups;
  if (!rest) return `${turnText(name)}. ${prompt}`;
  return `${turnText(name)}${rest['how']} ${rest['what']}`.trim();
}

/** A board's prompt for somebody who plans ahead. */
export const planningText = (prompt: string): string =>
  `Planning ahead: ${uncapitalize(prompt.replace(/^Your (turn|first move)[:.,] */, ''))}`;

/** A board's question about a move ("Open red here?"), of a move that is planned. */
export const plannedText = (question: string): string => `Planned: ${uncapitalize(question.replace('?', '.'))}`;

const uncapitalize = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Copies a text to the clipboard; false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
