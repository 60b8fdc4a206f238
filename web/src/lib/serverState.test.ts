import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerState } from './serverState.svelte';

describe('whether the server can be reached', () => {
  let there = true;
  const ask = vi.fn(() => Promise.resolve(there));
  beforeEach(() => {
    there = true;
    ask.mockClear();
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it('is doubted after a request without an answer, and only then asked', async () => {
    const state = new ServerState(ask);
    state.note(200);
    state.note(404);
    state.note(503);
    expect(ask).not.toHaveBeenCalled();
    state.note(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(ask).toHaveBeenCalledOnce();
    expect(state.reachable).toBe(true);
  });

  it.each([0, 502, 504])(
    'is over with %i when the server does not answer either, and back when it does',
    async (status) => {
      there = false;
      const state = new ServerState(ask);
      state.note(status);
      await vi.advanceTimersByTimeAsync(0);
      expect(state.reachable).toBe(false);
      there = true;
      await vi.advanceTimersByTimeAsync(1_000);
      expect(state.reachable).toBe(true);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(ask).toHaveBeenCalledTimes(2);
    },
  );

  it('is asked more and more seldom, four times a minute in the end', async () => {
    there = false;
    const state = new ServerState(ask);
    state.note(0);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(ask).toHaveBeenCalledTimes(5);
    ask.mockClear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledTimes(4);
  });

  it('is asked once, however many requests fail together', async () => {
    there = false;
    const state = new ServerState(ask);
    for (let i = 0; i < 9; i++) state.note(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(ask).toHaveBeenCalledOnce();
  });

  it('is told to all that wait for it, each time that it is back', async () => {
    const state = new ServerState(ask);
    const work = vi.fn();
    const stop = state.onBack(work);
    state.note(200);
    expect(work).not.toHaveBeenCalled();
    for (const calls of [1, 2, 2]) {
      there = false;
      state.note(0);
      await vi.advanceTimersByTimeAsync(0);
      there = true;
      await vi.advanceTimersByTimeAsync(1_000);
      expect(work).toHaveBeenCalledTimes(calls);
      if (calls === 2) stop();
    }
  });

  it('is back with the first answer to any request', async () => {
    there = false;
    const state = new ServerState(ask);
    state.note(0);
    await vi.advanceTimersByTimeAsync(0);
    state.note(200);
    expect(state.reachable).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledOnce();
  });
});
