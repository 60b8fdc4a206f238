/** How the log tells a game of Umbradeco. */
import type { Entry, GameEvent } from '../../lib/api/types';
import { usualPart, type Part } from '../../lib/log';

export const partOf = (event: GameEvent, entry: Entry): Part =>
  event.kind === 'end' ? event.text : usualPart(event, entry);
