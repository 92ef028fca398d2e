import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first request runs at once, and later ones run together after the interval', () => {
  const work = vi.fn();
  const limit = new Throttle(60_000, work);
  limit.request();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(20_000);
  limit.request();
  limit.request();
  vi.advanceTimersByTime(39_999);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(600_000);
  expect(work).toHaveBeenCalledTimes(2);
  limit.request();
  expect(work).toHaveBeenCalledTimes(3);
});

test('nothing runs after its stop', () => {
  const work = vi.fn();
  const limit = new Throttle(60_000, work);
  limit.request();
  limit.request();
  limit.stop();
  vi.advanceTimersByTime(600_000);
  expect(work).toHaveBeenCalledTimes(1);
});
