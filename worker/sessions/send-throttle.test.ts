import { expect, test } from 'vitest';
import { SendThrottle } from './send-throttle.ts';

test('each number has its own interval; a shorter one applies at once, a longer one from the next slot', () => {
  let nowMs = 1000;
  const throttle = new SendThrottle(() => nowMs);
  expect(throttle.leftMs('num_a', 5000)).toBeLessThanOrEqual(0);
  throttle.begin('num_a', 5000);
  nowMs += 2000;
  expect(throttle.leftMs('num_a', 5000)).toBe(3000);
  expect(throttle.leftMs('num_a', 60_000)).toBe(3000);
  expect(throttle.leftMs('num_a', 2500)).toBe(500);
  expect(throttle.leftMs('num_b', 5000)).toBeLessThanOrEqual(0);
  nowMs += 3000;
  expect(throttle.leftMs('num_a', 5000)).toBe(0);
});

test('of thousands of numbers, only those with a running interval are remembered', () => {
  let nowMs = 0;
  const throttle = new SendThrottle(() => nowMs);
  for (let n = 0; n < 1000; n++) throttle.begin(`num_${n}`, n < 500 ? 1000 : 10_000);
  nowMs += 2000;
  throttle.begin('num_new', 5000);
  expect(throttle.leftMs('num_0', 10_000)).toBe(0);
  expect(throttle.leftMs('num_999', 10_000)).toBe(8000);
  expect(throttle.leftMs('num_new', 5000)).toBe(5000);
});
