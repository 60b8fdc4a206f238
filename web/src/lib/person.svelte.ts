/** Who I am to the server: nobody yet, a guest with a name, or an account. */
import { api } from './api/http';
import type { Person } from './api/types';

/** The name that the server gives to those who have not chosen one. */
export const UNNAMED = 'Guest';

class Me {
  person: Person | null = $state(null);
  known = $state(false);

  /** The name I have chosen; empty while I am one guest among many. */
  get chosenName(): string {
    return this.person && this.person.name !== UNNAMED ? this.person.name : '';
  }

  async load(): Promise<void> {
    try {
      this.person = await api.me();
    } finally {
      this.known = true;
    }
  }

  async call(name: string): Promise<void> {
    this.person = this.person ? await api.rename(name) : await api.becomeGuest(name);
  }

  /** After a request that may have made a guest on the way. */
  refresh(): void {
    if (!this.person) void this.load().catch(() => undefined);
  }
}

export const me = new Me();
