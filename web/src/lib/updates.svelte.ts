/**
 * The page in this browser, and newer versions of it. A service worker keeps the page for times without a network. A newer
 * version is loaded beside it and waits: it takes over when the person agrees, or when the last tab is closed.
 */
import { registerSW } from 'virtual:pwa-register';
import { serverState } from './serverState.svelte';

/** How often a page that stays open asks for a newer version. The browser itself asks whenever the page is opened. */
const ASK_EVERY_MS = 60 * 60 * 1000;

class Updates {
  /** A newer version is loaded and waits. */
  waiting = $state(false);
  /** The person agreed in this tab. */
  asked = $state(false);
  /** A newer version took over, because the person agreed, here or in another tab. This tab still shows the old one. */
  replaced = $state(false);
  #takeOver: () => Promise<void> = () => Promise.resolve();

  /** Keeps the page in this browser from now on. Call it when the page has been drawn. */
  start(): void {
    let controlled = Boolean(navigator.serviceWorker?.controller);
    navigator.serviceWorker?.addEventListener('controllerchange', () => {
      if (controlled) this.#onTakeOver();
      controlled = true;
    });
    this.#takeOver = registerSW({
      onNeedRefresh: () => (this.waiting = true),
      onNeedReload: () => undefined, // see #onTakeOver, which is also called in the tab of a first visit
      onRegisteredSW: (_, registration) => {
        if (registration) setInterval(() => this.#ask(registration), ASK_EVERY_MS);
      },
      // A browser may forbid it, in a private window for example. The page then needs the network.
      onRegisterError: (error: unknown) => console.info('This browser does not keep the page:', error),
    });
  }

  #onTakeOver(): void {
    this.waiting = false;
    this.replaced = true;
  }

  #ask(registration: ServiceWorkerRegistration): void {
    if (serverState.reachable && navigator.onLine) registration.update().catch(() => undefined);
  }

  /** Shows the newer version. */
  install(): void {
    this.asked = true;
    void this.#takeOver();
  }

  /** Asks no more until the page is opened again. */
  later(): void {
    this.waiting = false;
  }
}

export const updates = new Updates();
