/** Whom I mute (I do not see what they say) or block (they also cannot join my tables). They are not told. */
import { api } from './api/http';
import type { Avoided } from './api/types';
import { me } from './identity.svelte';

class AvoidedPeople {
  people: Avoided[] = $state.raw([]);
  #byId = $derived(new Map(this.people.map((person) => [person.person, person.kind])));

  /** Asks the server for the list; nobody is avoided on a device alone. */
  async load(): Promise<void> {
    this.people = me.person && !me.onDevice ? await api.avoided() : [];
  }

  /** What I have chosen for a person, by public id. */
  kindOf(who: string | null | undefined): Avoided['kind'] | null {
    return (who && this.#byId.get(who)) || null;
  }

  /** Whether I see what a person says. */
  hides(who: string | null | undefined): boolean {
    return this.kindOf(who) !== null;
  }

  async avoid(table: string, who: string, kind: Avoided['kind'], invite: string | null): Promise<void> {
    this.people = await api.avoid({ table, person: who, kind, invite });
  }

  async stop(who: string): Promise<void> {
    this.people = await api.stopAvoiding(who);
  }
}

export const avoided = new AvoidedPeople();
