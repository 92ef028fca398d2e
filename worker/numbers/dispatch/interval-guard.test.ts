import { expect, test } from 'vitest';
import { IntervalGuard } from './interval-guard.ts';

test('each number has its own interval; a shorter one applies at once, a longer one from the next slot', () => {
  let nowMs = 1000;
  const intervalGuard = new IntervalGuard(() => nowMs);
  expect(intervalGuard.leftMs('num_a', 5000)).toBeLessThanOrEqual(0);
  intervalGuard.begin('num_a', 5000);
  nowMs += 2000;
  expect(intervalGuard.leftMs('num_a', 5000)).toBe(3000);
  expect(intervalGuard.leftMs('num_a', 60_000)).toBe(3000);
  expect(intervalGuard.leftMs('num_a', 2500)).toBe(500);
  expect(intervalGuard.leftMs('num_b', 5000)).toBeLessThanOrEqual(0);
  nowMs += 3000;
  expect(intervalGuard.leftMs('num_a', 5000)).toBe(0);
});

test('of thousands of numbers, only those with a running interval are remembered', () => {
  let nowMs = 0;
  const intervalGuard = new IntervalGuard(() => nowMs);
  for (let n = 0; n < 1000; n++) intervalGuard.begin(`num_${n}`, n < 500 ? 1000 : 10_000);
  nowMs += 2000;
  intervalGuard.begin('num_new', 5000);
  expect(intervalGuard.leftMs('num_0', 10_000)).toBe(0);
  expect(intervalGuard.leftMs('num_999', 10_000)).toBe(8000);
  expect(intervalGuard.leftMs('num_new', 5000)).toBe(5000);
});
