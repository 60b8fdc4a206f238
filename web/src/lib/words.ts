/** Small phrases, and the texts of the server as people read them. */

/**
 * A text of the server: `{0}` is the name of seat 0, and what stands in square brackets is notation, for those who type
 * their moves. Here one points at places, so it is left out.
 */
export function spoken(text: string, names: readonly string[]): string {
  return minus(text).replace(/ ?\[[^[\]]*\]|\{(\d+)\}/g, (_, seat: string | undefined) =>
    seat === undefined ? '' : (names[Number(seat)] ?? `Seat ${Number(seat) + 1}`),
  );
}

/** A number below nothing has a minus before it, not a hyphen. */
export const minus = (text: string): string => text.replace(/(?<=^|[\s(:,])-(?=\d)/g, '\u2212');

/** A phrase of the server, such as a move in words, as a sentence. */
export function sentence(phrase: string, names: readonly string[]): string {
  const words = spoken(phrase, names);
  return words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}.` : '';
}

/** Errors that speak of notation or of messages are for programs; a person who clicked hears what to do. */
const KIND: Record<string, string> = {
  stale: 'The table has moved on since you chose. Have another look.',
  bad_notation: 'That cannot be played here.',
  unknown_piece: 'That cannot be played here.',
  bad_message: 'The table did not understand that. Please try once more.',
  too_fast: 'One thing at a time, please.',
};
export function kindly(code: string, message: string): string {
  return KIND[code] ?? message;
}

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

export function seatsText(least: number, most: number): string {
  return least === most ? `${least} players` : `${least}–${most} players`;
}

export function listed(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** A sentence begins with a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const turnOf = (name: string): string => `${name}'s turn`;

/** A prompt for one of several people at one device: it says by name whose turn it is. */
export function promptFor(name: string, prompt: string): string {
  const rest = /^Your turn(?<how>[:.,]) *(?<what>.*)$/s.exec(prompt)?.groups;
  if (!rest) return `${turnOf(name)}. ${prompt}`;
  return `${turnOf(name)}${rest['how']} ${rest['what']}`.trim();
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
