import { expect, test } from 'vitest';
import { intervalMs, longestIntervalSeconds } from './interval.ts';

test('an irregular interval is never shorter, and at most 30 % longer', () => {
  const pace = { sendIntervalSeconds: 8, protected: true };
  expect(intervalMs(pace, 0)).toBe(8000);
  expect(intervalMs(pace, 0.999_999)).toBeLessThanOrEqual(10_400);
  expect(intervalMs(pace, 0.5)).toBe(9200);
  expect(longestIntervalSeconds(pace)).toBe(11);
  expect(intervalMs({ ...pace, protected: false }, 1)).toBe(8000);
});
