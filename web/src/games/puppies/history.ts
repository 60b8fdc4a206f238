/** How the log and the charts present Good Puppies: a common choice, a turn for each seat, and bonuses at the end. */
import type { GameEvent } from '../../lib/api/types';
import type { LogPart } from '../../lib/log';
import { deckOf, groupName } from './material';
import type { PuppiesView } from './board';

export function partOf(event: GameEvent): LogPart {
  switch (event.kind) {
    case 'round':
    case 'end':
      return event.text;
    case 'bonus':
      return 'The bonuses';
    case 'choose':
    case 'reveal':
      return null;
    default:
      return event.seat >= 0 ? event.seat : null;
  }
}

/** "bonus pitbulls" is the bonus of the Pit Bulls. */
export function sourceWords(source: string, view: PuppiesView): string {
  const [kind, breed] = source.split(' ');
  return kind === 'bonus' && breed ? `${groupName(deckOf(view), breed)} bonus` : source;
}
