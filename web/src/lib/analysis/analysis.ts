/** The server's analysis of a finished game, prepared for people. */
import type { Analysis, ExpectedStep, JudgedMove, OtherMove, Why } from '../api/types';
import { capitalize, counted, displayText, seatName } from '../text';

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

/** A winning chance in percent; certain only if it is. */
export function percentText(chance: number): string {
  const whole = Math.round(100 * chance);
  return `${chance > 0 && chance < 1 ? Math.min(99, Math.max(1, whole)) : whole} %`;
}

const DEPENDS: Record<ExpectedStep['depends'], string> = {
  '': '',
  draw: 'that depends on the draw',
  hidden: 'that depends on what nobody else sees',
  choice: 'several moves are as likely',
};

/** One step of what is expected, as a phrase that begins with its player. */
export function stepText(step: ExpectedStep, names: readonly string[]): string {
  const what = step.words ? displayText(step.words, names) : DEPENDS[step.depends];
  return `${seatName(names, step.seat)}: ${what}${step.points ? ` (about ${pointsText(step.points)})` : ''}`;
}

/** How far a candidate is behind the best one. */
export function behindText(other: OtherMove, proved: boolean): string {
  if (other.behind < 0.05) return 'as good';
  return `${oneDecimal(other.behind)}${proved ? '' : ` ± ${oneDecimal(other.error)}`} less`;
}

/** The lead that the best move is expected to give, and the winning chance after it; empty if nothing is known. */
export function outlookText({ others, chance, proved }: Why): string {
  const best = others?.[0];
  if (!best) return '';
  const sign = best.lead < 0 ? '\u2212' : '+';
  const lead = `${sign}${oneDecimal(Math.abs(best.lead))}${proved ? '' : ` ± ${oneDecimal(best.lead_error)}`}`;
  const win = chance === null || chance === undefined ? '' : ` Winning chance: ${percentText(chance)}.`;
  return `Expected lead: ${lead} points.${win}${proved ? ' This is proved.' : ''}`;
}

const oneDecimal = (number: number): string => String(Math.round(number * 10) / 10);

/** A move in words, to begin a list entry. */
export const moveText = (words: string, names: readonly string[]): string => capitalize(displayText(words, names));

export interface ChancePoint {
  move: JudgedMove;
  x: number;
  chance: number;
}

/** For each analysed seat, the winning chance after each judged move; x from 0 to 1. Empty for older analyses. */
export function chanceCurves(moves: readonly JudgedMove[], last: number): Map<number, ChancePoint[]> {
  const found = new Map<number, ChancePoint[]>();
  for (const move of moves) {
    if (move.chance === null || move.chance === undefined) continue;
    const curve = found.get(move.seat) ?? [];
    found.set(move.seat, curve);
    curve.push({ move, x: move.number / Math.max(1, last), chance: move.chance });
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}
