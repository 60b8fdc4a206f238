/** How the log and the charts tell a game of Marram. */
import type { Entry, GameEvent } from '../../lib/api/types';
import { defaultPart, type LogPart } from '../../lib/log';
import type { MarramView } from './board';
import { seatOf } from './art';

/** What is not complete counts once the last turn is over. */
export function partOf(event: GameEvent, entry: Entry): LogPart {
  if (event.kind === 'end') return event.text;
  if (event.kind === 'score' && String(event.data['rule']).startsWith('end ')) return 'The final count';
  // Everyone guesses when an animal appears; that is not their turn.
  if (event.kind === 'guess') return null;
  // With nothing left to lay, one passes at the end of somebody else's turn.
  return event.kind === 'pass' ? event.seat : defaultPart(event, entry);
}

/** A player's colour is that of their boots. */
export const seatColours = (view: MarramView): string[] => view.position.seats.map((_, seat) => seatOf(seat).colour);

const SOURCES: Record<string, string> = {
  blue: 'blue snakes',
  orange: 'orange snakes',
  worm: 'worms',
  freak: 'freaks',
  patch: 'patches',
  'end beast': 'unfinished beasts',
  'end patch': 'unfinished patches',
  fly: 'guesses of the fly',
  frog: 'guesses of the frog',
};
export const sourceWords = (source: string): string => SOURCES[source] ?? source;
