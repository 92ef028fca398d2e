import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StallLimit } from './stall-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The result of work that shows progress every `everyMs` and is done after `doneMs`. */
async function resultOf(everyMs: number, doneMs: number) {
  const limit = new StallLimit({ what: 'the start', stallMs: 90, mostMs: 300 });
  const signs = setInterval(() => limit.progress(), everyMs);
  const work = new Promise<string>((resolve) => setTimeout(() => resolve('done'), doneMs));
  const result = limit.run(work).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(1000);
  clearInterval(signs);
  return result;
}

test.each([
  [1000, 89, 'done'],
  [1000, 91, 'the start: no progress within 90 ms'],
  [80, 250, 'done'],
  [100, 250, 'the start: no progress within 90 ms'],
  [80, 301, 'the start: not done within 300 ms'],
])('progress every %i ms, done after %i ms: %s', async (everyMs, doneMs, result) => {
  expect(await resultOf(everyMs, doneMs)).toBe(result);
});

test('progress after the end begins nothing', async () => {
  const limit = new StallLimit({ what: 'the start', stallMs: 90, mostMs: 300 });
  expect(await limit.run(Promise.resolve('done'))).toBe('done');
  limit.progress();
  expect(vi.getTimerCount()).toBe(0);
});
