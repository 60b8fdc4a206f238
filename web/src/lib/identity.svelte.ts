/** Who I am to the server: nobody yet, a guest with a name, or an account. Without a server, a name on this device. */
import { api, deviceApi } from './api/http';
import type { Person } from './api/types';
import { IS_SITE } from './paths';
import { serverState } from './serverState.svelte';

/** The name that the server gives to people who have not chosen one. */
export const DEFAULT_NAME = 'Guest';

class Identity {
  /** Null until the server knows this browser, or until this device knows a name. */
  person: Person | null = $state(null);
  /** Whether the server has been asked. */
  loaded = $state(false);

  /** Whether only this device knows me. */
  get onDevice(): boolean {
    return IS_SITE || !serverState.reachable;
  }

  /** The name I have chosen; empty while I have the default name. */
  get chosenName(): string {
    return this.person && this.person.name !== DEFAULT_NAME ? this.person.name : '';
  }

  async load(): Promise<void> {
    try {
      this.person = await api.me();
    } finally {
      this.loaded = true;
    }
  }

  /** Renames me; somebody whom the server does not know becomes a guest. */
  async setName(name: string): Promise<void> {
    if (this.onDevice) this.person = await deviceApi.rename(name);
    else this.person = this.person ? await api.rename(name) : await api.becomeGuest(name);
  }

  /** Tells this device my name, before a table is made on it. */
  async tellDevice(): Promise<void> {
    if (this.chosenName) await deviceApi.rename(this.chosenName);
  }

  /** Call it after a request with which the server may have made me a guest. */
  refresh(): void {
    if (!this.person) void this.load().catch(() => undefined);
  }
}

export const me = new Identity();
