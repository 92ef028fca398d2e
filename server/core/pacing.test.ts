import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMISSION_WINDOW_MS, estimateWaitMs, retryAfterRefusal, slotsAhead } from './pacing.ts';

test('an idle number sends at once', () => {
  expect(estimateWaitMs({ slotInMs: -500, ahead: 0, intervalMs: 8000 })).toBe(0);
});

test('each message ahead takes a pause, and the moment until its acknowledgement', () => {
  expect(estimateWaitMs({ slotInMs: 3000, ahead: 4, intervalMs: 8000 })).toBe(36_000);
});

test('while async messages wait, they take one slot for every three plain ones, and never more than there are', () => {
  expect(slotsAhead({ plainAhead: 0, asyncWaiting: 0 })).toBe(0);
  expect(slotsAhead({ plainAhead: 0, asyncWaiting: 100 })).toBe(1);
  expect(slotsAhead({ plainAhead: 3, asyncWaiting: 100 })).toBe(5);
  expect(slotsAhead({ plainAhead: 9, asyncWaiting: 1 })).toBe(10);
});

test('a refused caller that waits as long as the answer says finds a slot near enough, and callers are spread', () => {
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
