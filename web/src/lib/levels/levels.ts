/** The levels that bots play at, in words. */
import type { BotInfo } from '../api/types';

/** The level of somebody who has chosen none. */
export const USUAL = 'shower';

/** Those that are offered to people, the weakest first. */
export function forPeople(bots: readonly BotInfo[]): BotInfo[] {
  return bots.filter((bot) => bot.for_people);
}

export function levelName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** How long it thinks about a move. */
export function thinkWords(bot: BotInfo): string {
  return bot.seconds > 0 ? `${bot.thinks} a move` : `moves ${bot.thinks}`;
}

/** Strength and time. */
export function strengthWords(bot: BotInfo): string {
  return `${bot.strength || 'for research'}; ${thinkWords(bot)}`;
}

/** Name, strength and time in one line, as in a list to choose from. */
export function levelLine(bot: BotInfo): string {
  return `${levelName(bot.name)}: ${strengthWords(bot)}`;
}

/** A level that was chosen once and may have been one for research, as one for people. */
export function chosenLevel(name: string): string {
  return name === 'random' ? 'drizzle' : name === 'greedy' ? USUAL : name;
}

/** Who of these bots is worth waiting for: "Storm is thinking…"; null if none of them takes its time. */
export function thinkingWords(names: readonly string[], levels: readonly (string | null)[], bots: readonly BotInfo[]) {
  const slow = names.filter((_, i) => (bots.find((bot) => bot.name === levels[i])?.seconds ?? 0) > 0);
  if (!slow.length || slow.length < names.length) return null;
  return `${slow.join(' and ')} ${slow.length > 1 ? 'are' : 'is'} thinking…`;
}
