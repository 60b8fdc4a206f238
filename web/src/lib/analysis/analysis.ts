/** The server's analysis of a finished game, prepared for people. */
import type { Analysis, JudgedMove } from '../api/types';
import { counted } from '../text';

/** Moves that cost less are not listed. */
export const MIN_LOSS = 0.5;

/** The moves that cost most: clear mistakes first, then those that may be noise. */
export function costliestMoves(moves: readonly JudgedMove[], most = 8): JudgedMove[] {
  const worth = moves.filter((move) => move.best !== null && (move.sure || move.lost >= MIN_LOSS));
  return worth.sort((a, b) => Number(b.sure) - Number(a.sure) || b.lost - a.lost).slice(0, most);
}

/** Points with at most one decimal. */
export function pointsText(lost: number): string {
  return counted(Math.round(lost * 10) / 10, 'point');
}

/** What the analysis found about all choices of a player: the end of a sentence that begins with the name. */
export function sumText({ decisions, best, mistakes, lost }: Analysis['seats'][number]): string {
  const good = best === 1 && decisions === 1 ? 'the best we found' : `${best} of them the best we found`;
  return `${counted(decisions, 'choice')}, ${good}, ${counted(mistakes, 'clear slip')}, about ${pointsText(lost)} left behind.`;
}

/** The progress of an analysis, in words. */
export function progressText(told: Analysis): string {
  if (told.state === 'waiting') return 'Queued behind another analysis…';
  if (!told.total) return 'Reading the game…';
  return `Thinking about move ${Math.min(told.done + 1, told.total)} of ${told.total}…`;
}

/** The query of the replay that shows what the player saw before the move. */
export function replayQuery(move: JudgedMove): string {
  return `at=${Math.max(0, move.number - 1)}&better=${move.number}`;
}

export interface Bar {
  move: JudgedMove;
  x: number;
  height: number;
}

/** For each analysed seat, a bar for each move that cost points; x and height from 0 to 1. */
export function lanes(moves: readonly JudgedMove[], last: number): Map<number, Bar[]> {
  const top = Math.max(1, ...moves.map((move) => move.lost));
  const found = new Map<number, Bar[]>();
  for (const move of moves) {
    const bars = found.get(move.seat) ?? [];
    found.set(move.seat, bars);
    if (move.best !== null) bars.push({ move, x: move.number / Math.max(1, last), height: move.lost / top });
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}
