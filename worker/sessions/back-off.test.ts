import { expect, test } from 'vitest';
import { BackOff } from './back-off.ts';

test('delays double up to a quarter of an hour', () => {
  const backOff = new BackOff(() => 1);
  expect(Array.from({ length: 12 }, () => backOff.next(0))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 900_000, 900_000,
  ]);
});

test('jitter shortens a delay by at most half', () => {
  expect(new BackOff(() => 0).next(0)).toBe(500);
});

test('a session that was connected for a minute starts over with the shortest delay', () => {
  const backOff = new BackOff(() => 1);
  backOff.next(0);
  backOff.next(0);
  expect(backOff.next(60_000)).toBe(1000);
});
