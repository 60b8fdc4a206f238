/** My preferences follow me: what changes here is sent to the server, and what I changed elsewhere arrives here. */
import { untrack } from 'svelte';
import { api } from './api/http';
import { me } from './identity.svelte';
import { PreferenceSync } from './preferenceSync';
import { serverState } from './serverState.svelte';
import { settings } from './settings.svelte';
import { readStored, writeStored } from './storage';

export const following = new PreferenceSync(
  { load: api.preferences, save: api.setPreferences },
  {
    get: (name) => settings.values[name],
    take: (name, value) => settings.take(name, value),
    changed: () => settings.changed(),
  },
  { read: readStored, write: writeStored },
);

/** Follows whoever the server knows this browser as. Call it while a component is set up. */
export function followMe(): void {
  settings.onChange = (name) => following.note(name);
  $effect(() => {
    const person = me.onDevice || !serverState.reachable ? null : me.person;
    untrack(() => void following.meet(person));
  });
  $effect(() => {
    const look = () => document.visibilityState === 'visible' && following.lookedAt();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
}
