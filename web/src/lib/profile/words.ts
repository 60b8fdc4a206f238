/** The words of histories and ratings. */
import type { PlayedGame } from '../api/types';

/** Why a rated game did not count. */
export const NOT_COUNTED: Record<string, string> = {
  friendly: 'A friendly game: the ratings stay as they are.',
  opening: 'Somebody left in the opening, so the ratings stay as they are.',
  abandoned: 'All people had left, so the ratings stay as they are.',
};

export const RESULTS: Record<PlayedGame['result'], string> = {
  won: 'Won',
  shared: 'Shared the win',
  lost: 'Lost',
  several: 'Played several seats',
};

/** How long a game took. */
export function lengthText(game: Pick<PlayedGame, 'started' | 'finished' | 'decisions'>): string {
  const minutes = Math.round((game.finished - game.started) / 60_000);
  const moves = `${game.decisions} ${game.decisions === 1 ? 'move' : 'moves'}`;
  if (minutes < 1) return moves;
  if (minutes < 120) return `${moves}, ${minutes} min`;
  const hours = Math.round(minutes / 60);
  return `${moves}, ${hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`}`;
}

/** A share in whole percent. */
export const percent = (part: number, whole: number): string => (whole ? `${Math.round((100 * part) / whole)} %` : '–');
