/** How the log presents Aquarium: a common set-up, rounds of turns, and nets at any time. */
import type { Entry, GameEvent } from '../../lib/api/types';
import { defaultPart, type LogPart } from '../../lib/log';

const HEADINGS: Record<string, string> = { first: 'Setting up', put: 'Setting up', answer: 'The last nets' };

export function partOf(event: GameEvent, entry: Entry): LogPart {
  if (event.kind === 'round' || event.kind === 'end') return event.text;
  if (event.kind === 'reveal' || event.kind === 'nets') return null;
  return HEADINGS[event.kind] ?? defaultPart(event, entry);
}
