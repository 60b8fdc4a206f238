/** Whether the board is taller than wide, as on a phone: the other tanks then lie below mine, not beside it. */
import { MediaQuery } from 'svelte/reactivity';

const query = typeof matchMedia === 'function' ? new MediaQuery('(max-width: 40rem), (max-aspect-ratio: 9/10)') : null;

export const screen = {
  get tall(): boolean {
    return query?.current ?? false;
  },
};
