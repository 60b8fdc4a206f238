/** How far the engine is, for the progress bar. */
class EngineState {
  /**
   * `off`: nobody needs it yet, or it stopped and is started again when it is next needed. `failed`: it could not be
   * downloaded or started, and whoever needs it waits until the person tries again.
   */
  phase: 'off' | 'loading' | 'starting' | 'ready' | 'failed' = $state('off');
  done = $state(0);
  total = $state(0);
  /** Why it failed, in a sentence. */
  failure = $state('');
  /** Whether the progress or the failure is to be shown. */
  isBusy: boolean = $derived(this.phase !== 'off' && this.phase !== 'ready');
}

export const engineState = new EngineState();
