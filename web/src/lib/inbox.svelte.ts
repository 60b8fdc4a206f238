/**
 * What waits for me at the server: games in which it is my turn, invitations, friends who ask, and a search for a game. The
 * page asks for it again and again: often while a search goes on, which is renewed by it, and seldom in the background.
 */
import { peopleApi } from './api/http';
import type { Inbox, Search, SearchWish } from './api/types';
import { me } from './identity.svelte';
import { IS_SITE } from './paths';
import { router } from './router.svelte';
import { serverState } from './serverState.svelte';

const SEARCHING_MS = 2_000;
const SHOWN_MS = 15_000;
const HIDDEN_MS = 30_000;
const NOTHING: Inbox = { turns: [], invitations: [], asks: 0, search: null, now: 0 };

class InboxState {
  now: Inbox = $state.raw(NOTHING);
  /** A game was found that I have not gone to yet. */
  readonly found = $derived(this.now.search?.table ? this.now.search : null);
  readonly searching = $derived(this.now.search !== null && !this.now.search.table ? this.now.search : null);
  /** In how many games it is my turn. */
  readonly turns = $derived(this.now.turns.filter((turn) => turn.mine).length);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  listen(): void {
    if (IS_SITE) return;
    document.addEventListener('visibilitychange', () => void this.look());
    // Whoever closes the page looks for a game no longer.
    addEventListener('pagehide', () => {
      const search = this.searching;
      if (search) void peopleApi.stopSearch(search.id, true).catch(() => undefined);
    });
    addEventListener('pageshow', (event) => event.persisted && void this.look());
    // A push message that was clicked leads to a table.
    navigator.serviceWorker?.addEventListener('message', (event: MessageEvent<{ open?: string }>) => {
      if (event.data?.open) router.go(event.data.open);
    });
    void this.look();
  }

  /** Asks now, and then again and again. */
  async look(): Promise<void> {
    if (IS_SITE) return;
    clearTimeout(this.#timer);
    const turn = ++this.#asked;
    if (serverState.reachable && me.person) {
      const found = await peopleApi.inbox().catch(() => null);
      if (turn !== this.#asked) return;
      if (found) this.now = found;
    } else if (!me.person) this.now = NOTHING;
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#timer);
    const pause = this.searching ? SEARCHING_MS : document.visibilityState === 'visible' ? SHOWN_MS : HIDDEN_MS;
    this.#timer = setTimeout(() => void this.look(), pause);
  }

  /** Looks for a game with others. */
  async find(wish: SearchWish): Promise<void> {
    this.#take(await peopleApi.findGame(wish));
  }

  #take(search: Search | null): void {
    this.#asked++;
    this.now = { ...this.now, search };
    this.#later();
  }

  /** Looks for it no longer, or goes to the table that was found. */
  async endSearch(): Promise<void> {
    const search = this.now.search;
    if (!search) return;
    this.#take(null);
    await peopleApi.stopSearch(search.id);
  }

  /** Answers an invitation, or wants none. */
  async dropInvitation(table: string): Promise<void> {
    if (!this.now.invitations.some((each) => each.table === table)) return;
    this.now = { ...this.now, invitations: this.now.invitations.filter((each) => each.table !== table) };
    await peopleApi.dropInvitation(table);
  }
}

export const inbox = new InboxState();
