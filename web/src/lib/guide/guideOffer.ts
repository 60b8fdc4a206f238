/** Which games somebody has played in this browser, and at which tables a guide is offered because the game is new to them. */
import { settings } from '../settings.svelte';
import { readStoredTexts, writeStored } from '../storage';
import { hasGuide } from './guide';

const KEY = 'wellies.played';
/** Tables of this visit that offer a guide. */
const offered = new Set<string>();

export const guideOffer = {
  isFirstGame: (game: string): boolean => !readStoredTexts(KEY).includes(game),

  markPlayed(game: string): void {
    if (guideOffer.isFirstGame(game)) writeStored(KEY, [...readStoredTexts(KEY), game]);
  },

  /** Offers the guide at a new table if the game has one, is new to this browser, and offers are wanted. */
  offerAt(table: string, game: string): void {
    if (settings.values.offer && hasGuide(game) && guideOffer.isFirstGame(game)) offered.add(table);
  },

  isOffered: (table: string): boolean => offered.has(table),

  decline(table: string, game: string): void {
    offered.delete(table);
    guideOffer.markPlayed(game);
  },
};
