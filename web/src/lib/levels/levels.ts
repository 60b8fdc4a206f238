/** The levels of bots as texts for people. */
import type { BotInfo } from '../api/types';

/** The level for people who have not chosen one. */
export const DEFAULT_LEVEL = 'shower';

/** The levels that are offered to people, the weakest first. */
export function forPeople(bots: readonly BotInfo[]): BotInfo[] {
  return bots.filter((bot) => bot.for_people);
}

export function levelName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** How long it thinks about a move, in words. */
export function thinkWords(bot: BotInfo): string {
  return bot.seconds > 0 ? `${bot.thinks} a move` : `moves ${bot.thinks}`;
}

/** Its strength and its time for a move, in words. */
export function strengthWords(bot: BotInfo): string {
  return `${bot.strength || 'for research'}; ${thinkWords(bot)}`;
}

/** Name, strength and time in one line, for a list of choices. */
export function levelLine(bot: BotInfo): string {
  return `${levelName(bot.name)}: ${strengthWords(bot)}`;
}

/** The level for people that replaces a stored level which is now for research only. */
export function levelForPeople(name: string): string {
  return name === 'random' ? 'drizzle' : name === 'greedy' ? DEFAULT_LEVEL : name;
}

/** "Storm is thinking…" if the table waits for slow bots only; else null. */
export function thinkingWords(names: readonly string[], levels: readonly (string | null)[], bots: readonly BotInfo[]) {
  const slow = names.filter((_, i) => (bots.find((bot) => bot.name === levels[i])?.seconds ?? 0) > 0);
  if (!slow.length || slow.length < names.length) return null;
  return `${slow.join(' and ')} ${slow.length > 1 ? 'are' : 'is'} thinking…`;
}
