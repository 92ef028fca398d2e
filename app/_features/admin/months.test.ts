import { expect, test } from 'vitest';
import { addMonths, monthsAfter, proposedTerms, today, unusual } from './months.ts';

test('adding a month keeps the day of the month', () => {
  expect(addMonths('2026-11-21', 1)).toBe('2026-12-21');
  expect(addMonths('2026-12-14', 1)).toBe('2027-01-14');
  expect(addMonths('2026-11-21', 12)).toBe('2027-11-21');
});

test('a month without that day gives its last day', () => {
  expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
  expect(addMonths('2028-01-31', 1)).toBe('2028-02-29');
  expect(addMonths('2027-10-31', 1)).toBe('2027-11-30');
});

test('today is the day in the viewer’s time zone', () => {
  expect(today(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});

test('a renewal counts from the plan’s last day, and from today if it has passed or there is none', () => {
  const now = new Date('2026-11-22T12:00:00');
  expect(monthsAfter('2026-12-05', 1, now)).toBe('2027-01-05');
  expect(monthsAfter('2026-12-05', 12, now)).toBe('2027-12-05');
  expect(monthsAfter('2026-11-20', 1, now)).toBe('2026-12-22');
  expect(monthsAfter(null, 12, now)).toBe('2027-11-22');
});

test('a day that is probably a mistake is noticed: in the past, before the plan’s end, or years after it', () => {
  const now = new Date('2026-11-22T12:00:00');
  expect(unusual('2025-12-31', '2026-12-05', now)).toBe('past');
  expect(unusual('2026-12-04', '2026-12-05', now)).toBe('earlier');
  expect(unusual('2062-12-05', '2026-12-05', now)).toBe('far');
  expect(unusual('2062-12-05', null, now)).toBe('far');
  for (const usual of ['2026-12-05', '2027-01-05', '2028-12-05', ''])
    expect(unusual(usual, '2026-12-05', now)).toBeNull();
  expect(unusual('2099-12-31', '2099-12-31', now)).toBeNull();
});

test('an existing plan keeps its end date until somebody changes it', () => {
  const now = new Date('2026-11-22T12:00:00');
  expect(proposedTerms({ paidUntil: '2027-01-31', numbersIncluded: 3 }, null, now)).toEqual({
    until: '2027-01-31',
    numbers: '3',
  });
  expect(proposedTerms({ paidUntil: '2026-01-31', numbersIncluded: 3 }, null, now).until).toBe('2026-01-31');
  expect(proposedTerms({ paidUntil: null, numbersIncluded: 3 }, 5, now).numbers).toBe('5');
  expect(proposedTerms({ paidUntil: null, numbersIncluded: 0 }, null, now)).toEqual({
    until: '2026-12-22',
    numbers: '1',
  });
});
