/** How the log and the charts present Marram. */
import type { Entry, GameEvent } from '../../lib/api/types';
import { defaultPart, type LogPart } from '../../lib/log';
import type { MarramView } from './board';
import { seatOf } from './art';

/** Incomplete features score after the last turn. */
export function partOf(event: GameEvent, entry: Entry): LogPart {
  if (event.kind === 'end') return event.text;
  if (event.kind === 'score' && String(event.data['rule']).startsWith('end ')) return 'The final count';
  // All seats guess when an animal appears: that is nobody's turn.
  if (event.kind === 'guess') return null;
  // A seat without tiles passes at the end of another seat's turn.
  return event.kind === 'pass' ? event.seat : defaultPart(event, entry);
}

/** Each seat has the colour of its boots. */
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
