import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, retryAfterMs } from './backoff.ts';

const SECOND = 1000;
const HOUR = 3_600 * SECOND;
const random = fc.double({ min: 0, max: 1, noNaN: true });

test('every wait is between 5 seconds and 12 hours, plus at most a fifth', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), random, (attempts, dice) => {
      const ms = backoffMs(attempts, dice);
      expect(ms).toBeGreaterThanOrEqual(5 * SECOND);
      expect(ms).toBeLessThanOrEqual(12 * HOUR * 1.2);
    }),
  );
});

test('a wait is never shorter than the one before, by the same dice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), random, (attempts, dice) => {
      expect(backoffMs(attempts + 1, dice)).toBeGreaterThanOrEqual(backoffMs(attempts, dice));
    }),
  );
});

test('within 3 days an event is tried at least 15 times', () => {
  fc.assert(
    fc.property(fc.array(random, { minLength: 15, maxLength: 15 }), (dice) => {
      const waited = dice.slice(1).reduce((sum, one, n) => sum + backoffMs(n + 1, one), 0);
      expect(waited).toBeLessThanOrEqual(3 * 24 * HOUR);
    }),
  );
});

test('Retry-After is read as seconds or as a date, up to 12 hours, and anything else asks for no wait', () => {
  const now = Date.parse('2026-03-01T08:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120 * SECOND);
  expect(retryAfterMs('Sun, 01 Mar 2026 08:02:00 GMT', now)).toBe(120 * SECOND);
  expect(retryAfterMs('99999999', now)).toBe(12 * HOUR);
  for (const none of ['0', '-5', '1.5', 'soon', '', 'Sun, 01 Mar 2026 07:00:00 GMT'])
    expect(retryAfterMs(none, now), none).toBeNull();
});
