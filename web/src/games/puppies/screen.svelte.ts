/** Whether the board is laid out for a narrow screen. */
import { MediaQuery } from 'svelte/reactivity';

const narrow = typeof matchMedia === 'undefined' ? null : new MediaQuery('max-width: 40rem');

export const screen = {
  get compact(): boolean {
    return narrow?.current ?? false;
  },
};
