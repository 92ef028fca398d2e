import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionWatch } from './session-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch() {
  const state = { alive: true, busy: false };
  const onDead = vi.fn();
  const session = new SessionWatch({
    probe: async () => state.alive,
    isBusy: () => state.busy,
    onDead,
  });
  session.start();
  return { state, onDead, session };
}

test('two failed probes in a row end a session, one does not', async () => {
  const { state, onDead } = watch();
  state.alive = false;
  await vi.advanceTimersByTimeAsync(5_000);
  state.alive = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onDead).not.toHaveBeenCalled();
  state.alive = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(onDead).toHaveBeenCalledExactlyOnceWith('no_answer');
});

test('a page that works on a file is not given up, and counts again once it has sent it', async () => {
  const { state, onDead } = watch();
  state.busy = true;
  state.alive = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onDead).not.toHaveBeenCalled();
  state.busy = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(onDead).toHaveBeenCalledExactlyOnceWith('no_answer');
});
