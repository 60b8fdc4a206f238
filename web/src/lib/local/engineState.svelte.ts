/** How far the engine is, for the progress bar. */
class EngineState {
  /** `off`: nobody needed it yet, or it failed and is tried again when it is next needed. */
  phase: 'off' | 'loading' | 'starting' | 'ready' = $state('off');
  done = $state(0);
  total = $state(0);
}

export const engineState = new EngineState();
