import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServicePause } from './service-pause.ts';
import { SessionRestart } from './session-restart.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The delays of restarts, in ms, after sessions that were each connected for two minutes. */
async function delaysAfter(...sessions: { neverWorked: boolean }[]): Promise<number[]> {
  const delays: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let since = 0;
  const restart = new SessionRestart({
    servicePause: new ServicePause(),
    row: () => null,
    mostMs: () => 0,
    onRestart: () => {
      delays.push(performance.now() - since);
      next();
    },
  });
  const next = () => {
    const session = sessions.shift();
    if (!session) return resolve();
    restart.opened();
    restart.connected();
    setTimeout(() => {
      since = performance.now();
      restart.schedule(session);
    }, 120_000);
  };
  next();
  await vi.runAllTimersAsync();
  await promise;
  return delays;
}

test('after a session that worked for a while the delay is the shortest', async () => {
  const worked = { neverWorked: false };
  expect(await delaysAfter(worked, worked, worked)).toEqual([1000, 1000, 1000]);
});

test('after sessions that were connected and sent nothing, each delay is longer than the one before', async () => {
  const stuck = { neverWorked: true };
  expect(await delaysAfter(stuck, stuck, stuck, { neverWorked: false })).toEqual([1000, 2000, 4000, 1000]);
});
