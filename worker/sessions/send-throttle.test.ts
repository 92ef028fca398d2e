import { expect, test } from 'vitest';
import { SendThrottle } from './send-throttle.ts';

test('a pause runs for each number by itself, and a shorter one counts at once, a longer one from the next slot', () => {
  let nowMs = 1000;
  const pauses = new SendThrottle(() => nowMs);
  expect(pauses.leftMs('num_a', 5000)).toBeLessThanOrEqual(0);
  pauses.begin('num_a', 5000);
  nowMs += 2000;
  expect(pauses.leftMs('num_a', 5000)).toBe(3000);
  expect(pauses.leftMs('num_a', 60_000)).toBe(3000);
  expect(pauses.leftMs('num_a', 2500)).toBe(500);
  expect(pauses.leftMs('num_b', 5000)).toBeLessThanOrEqual(0);
  nowMs += 3000;
  expect(pauses.leftMs('num_a', 5000)).toBe(0);
});

test('of thousands of numbers those whose pause runs are remembered', () => {
  let nowMs = 0;
  const pauses = new SendThrottle(() => nowMs);
  for (let n = 0; n < 1000; n++) pauses.begin(`num_${n}`, n < 500 ? 1000 : 10_000);
  nowMs += 2000;
  pauses.begin('num_new', 5000);
  expect(pauses.leftMs('num_0', 10_000)).toBe(0);
  expect(pauses.leftMs('num_999', 10_000)).toBe(8000);
  expect(pauses.leftMs('num_new', 5000)).toBe(5000);
});
