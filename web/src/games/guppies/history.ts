/** How the log and the charts present Guppies. */
import type { Entry, GameEvent } from '../../lib/api/types';
import { defaultPart, type LogPart } from '../../lib/log';
import type { GuppiesView } from './board';
import { BODY } from './art';

export const partOf = (event: GameEvent, entry: Entry): LogPart =>
  event.kind === 'end' ? event.text : defaultPart(event, entry);

/** Each seat has the colour of its fish. */
export const seatColours = (view: GuppiesView): string[] => view.position.seats.map((seat) => BODY[seat.colour]);
