import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const LIMITS = { perSecond: 10, atOnce: 3, waitMsMax: 250 };

test('what comes beyond those at once comes at the pace of its key, and others do not wait', () => {
  const pace = new Pace(LIMITS);
  const waits = Array.from({ length: 7 }, () => pace.take('192.0.2.1', 1_000));
  expect(waits).toEqual([0, 0, 0, 100, 200, null, null]);
  expect(pace.take('192.0.2.2', 1_000)).toBe(0);
  expect(pace.take('192.0.2.1', 1_200)).toBe(100);
  expect(pace.take('192.0.2.1', 10_000)).toBe(0);
});

test('one that counts as several makes the next ones wait', () => {
  const pace = new Pace(LIMITS);
  pace.take('192.0.2.1', 0, 4);
  expect([pace.take('192.0.2.1', 0), pace.take('192.0.2.1', 0)]).toEqual([200, null]);
});
