import { expect, test } from 'vitest';
import { planEndedText, planEndText } from './plan-end.ts';

test('a plan ends at midnight after its days of grace, and says so in the same words before and afterwards', () => {
  const timeZone = 'Europe/Berlin';
  const text = '4 December 2026 at 00:00 (Europe/Berlin)';
  expect(planEndText('2026-11-30', { graceDays: 3, timeZone })).toBe(text);
  expect(planEndedText(new Date('2026-12-03T23:00:00Z'), timeZone)).toBe(text);
  expect(planEndText('2026-11-30', { graceDays: 0, timeZone })).toMatch(/^1 December 2026 at 00:00/);
});
