import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMISSION_WINDOW_MS, estimateWaitMs, retryAfterRefusal, turnsOf } from './waits.ts';

const pace = { sendIntervalSeconds: 8, protected: false };

test('an idle number sends at once', () => {
  expect(estimateWaitMs({ slotInMs: -500, ahead: 0, pace, random: 1 })).toBe(0);
});

test('each message ahead adds an interval and the time until its acknowledgement', () => {
  expect(estimateWaitMs({ slotInMs: 3000, ahead: 4, pace, random: 1 })).toBe(36_000);
});

test('messages that are due together leave one interval apart, after what is there before them', () => {
  expect(turnsOf([1000, 1000, 1000, 60_000], 0, 8000)).toEqual([1000, 9000, 17_000, 60_000]);
  expect(turnsOf([1000, 50_000], 30_000, 8000)).toEqual([30_000, 50_000]);
  expect(turnsOf([], 30_000, 8000)).toEqual([]);
});

test('a slot further away than the longest interval counts as one interval', () => {
  expect(
    estimateWaitMs({ slotInMs: 60_000, ahead: 0, pace: { ...pace, protected: true }, random: 0.5 }),
  ).toBe(10_400);
});

test('a refused caller that waits as long as advised finds a slot in time, and callers are spread', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: ADMISSION_WINDOW_MS + 1, max: 3_600_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (waitMs, random) => {
        const seconds = retryAfterRefusal(waitMs, random);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(waitMs - seconds * 1000).toBeLessThanOrEqual(ADMISSION_WINDOW_MS);
        expect(seconds).toBeLessThanOrEqual(Math.ceil((1.5 * (waitMs - ADMISSION_WINDOW_MS)) / 1000) + 3);
      },
    ),
  );
});
