/** Installing the page as an app. A browser that can do it says so; the settings then offer it. */

/** What Chromium's browsers send; no standard describes it, so TypeScript does not know it. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

class Install {
  #offer: InstallOffer | null = $state.raw(null);
  /** Whether the page runs as an app of its own. */
  isInstalled = $state(false);

  listen(): void {
    this.isInstalled = matchMedia('(display-mode: standalone)').matches;
    addEventListener('beforeinstallprompt', (event) => {
      // The browser would show a bar of its own, at a moment of its own.
      event.preventDefault();
      this.#offer = event as InstallOffer;
    });
    addEventListener('appinstalled', () => {
      this.#offer = null;
      this.isInstalled = true;
    });
  }

  get isOffered(): boolean {
    return this.#offer !== null;
  }

  /** Lets the browser ask the person. An offer can be used once. */
  async ask(): Promise<void> {
    const offer = this.#offer;
    this.#offer = null;
    await offer?.prompt();
  }
}

export const install = new Install();
