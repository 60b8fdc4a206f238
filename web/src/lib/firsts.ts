/** Which games somebody has played in this browser, and where a guide is offered first. */
import { hasGuide } from './guide/guide';
import { recallTexts, remember } from './kept';
import { settings } from './settings.svelte';

const KEY = 'wellies.played';
/** Tables of this visit that are the first of their game. */
const offered = new Set<string>();

export const firsts = {
  isFirst: (game: string): boolean => !recallTexts(KEY).includes(game),

  /** A game of this kind was played, or its guide declined: it is nobody's first any more. */
  over(game: string): void {
    if (firsts.isFirst(game)) remember(KEY, [...recallTexts(KEY), game]);
  },

  /** At this table, just made, the guide is offered if it is a first game. */
  begin(table: string, game: string): void {
    if (settings.likes.offer && hasGuide(game) && firsts.isFirst(game)) offered.add(table);
  },

  isOffered: (table: string): boolean => offered.has(table),

  decline(table: string, game: string): void {
    offered.delete(table);
    firsts.over(game);
  },
};
