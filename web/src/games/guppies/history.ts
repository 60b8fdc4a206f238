/** How the log and the charts tell a game of Guppies. */
import type { Entry, GameEvent } from '../../lib/api/types';
import { defaultPart, type LogPart } from '../../lib/log';
import type { GuppiesView } from './board';
import { BODY } from './art';

export const partOf = (event: GameEvent, entry: Entry): LogPart =>
  event.kind === 'end' ? event.text : defaultPart(event, entry);

/** A player's colour is that of their fish. */
export const seatColours = (view: GuppiesView): string[] => view.position.seats.map((seat) => BODY[seat.colour]);
