import { expect, test } from 'vitest';
import { shortTime } from './time.tsx';

const now = new Date(2026, 10, 26, 14, 0, 0);
const today = new Date(2026, 10, 26, 2, 23, 5);
const yesterday = new Date(2026, 10, 25, 2, 23, 5);

test('a time names its day unless it is today, or always its date', () => {
  expect(shortTime(today, now)).toBe('02:23:05');
  expect(shortTime(yesterday, now)).toBe('Yesterday, 02:23');
  expect(shortTime(new Date(2025, 10, 25, 2, 23), now)).toBe('25 Nov 2025, 02:23');
  const dated = { seconds: false, dated: true };
  expect(shortTime(today, now, dated)).toBe('26 Nov, 02:23');
  expect(shortTime(yesterday, now, dated)).toBe('25 Nov, 02:23');
});
