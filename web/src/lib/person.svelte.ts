/** Who I am to the server: nobody yet, a guest with a name, or an account. */
import { api, Trouble } from './api/http';
import type { Person } from './api/types';

class Me {
  person: Person | null = $state(null);
  known = $state(false);

  async load(): Promise<void> {
    try {
      this.person = await api.me();
    } catch (error) {
      if (!(error instanceof Trouble) || error.status !== 401) throw error;
      this.person = null;
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
