/** How the log and the charts tell a game of Guppies. */
import { BODY } from './shapes';
import type { GuppiesView } from './board';

/** A player's colour is that of their fish. */
export const seatColours = (view: GuppiesView): string[] => view.position.seats.map((seat) => BODY[seat.colour]);
