/** How the log presents Umbradeco. */
import type { Entry, GameEvent } from '../../lib/api/types';
import { defaultPart, type LogPart } from '../../lib/log';

export const partOf = (event: GameEvent, entry: Entry): LogPart =>
  event.kind === 'end' ? event.text : defaultPart(event, entry);
