import { describe, expect, test } from 'vitest';
import {
  BUDGET_WINDOW_MS,
  budgetOn,
  type ContactFacts,
  contactRefusal,
  inUtc,
  isAgainstNumber,
  NEW_CONTACTS_PER_DAY,
  parseBudget,
  refusalPauseMs,
  waitForContact,
} from './new-contacts.ts';

const HOUR = 3_600_000;
const FREE: ContactFacts = { timelockMs: null, capMs: null, pauseMs: null, budget: null, takenInMs: [] };

describe('the wait for a new person', () => {
  test('is zero without a restriction and without protection', () => {
    expect(waitForContact(FREE)).toEqual({ waitMs: 0, limit: null });
  });

  test('an ended restriction delays nobody', () => {
    expect(waitForContact({ ...FREE, timelockMs: -1, capMs: -5, pauseMs: 0 }).waitMs).toBe(0);
  });

  test('the restriction that ends last counts', () => {
    expect(waitForContact({ ...FREE, timelockMs: 5, capMs: 9, pauseMs: 7 })).toEqual({
      waitMs: 9,
      limit: 'cap',
    });
  });

  test('a used budget is free again when its oldest place is 24 hours old', () => {
    const takenInMs = [-1 * HOUR, -20 * HOUR, -23 * HOUR];
    expect(waitForContact({ ...FREE, budget: 4, takenInMs }).waitMs).toBe(0);
    expect(waitForContact({ ...FREE, budget: 3, takenInMs })).toEqual({ waitMs: HOUR, limit: 'budget' });
    expect(waitForContact({ ...FREE, budget: 1, takenInMs }).waitMs).toBe(23 * HOUR);
  });

  test('waiting people take free places in order', () => {
    const takenInMs: number[] = [-23 * HOUR, -22 * HOUR].sort((a, b) => b - a);
    const given: number[] = [];
    for (let i = 0; i < 4; i++) {
      const { waitMs } = waitForContact({ ...FREE, budget: 2, takenInMs });
      given.push(waitMs);
      takenInMs.push(waitMs);
      takenInMs.sort((a, b) => b - a);
    }
    expect(given).toEqual([HOUR, 2 * HOUR, 25 * HOUR, 26 * HOUR]);
    // Never more than the budget in any 24 hours.
    for (const from of takenInMs)
      expect(takenInMs.filter((at) => at >= from && at < from + BUDGET_WINDOW_MS).length).toBeLessThanOrEqual(
        2,
      );
  });
});

test('the budget grows with the age of the link and never shrinks', () => {
  const days = Array.from({ length: 200 }, (_, day) => budgetOn(day, NEW_CONTACTS_PER_DAY));
  expect(days[0]).toBe(10);
  expect(days.at(-1)).toBe(250);
  for (let day = 1; day < days.length; day++) expect(days[day]).toBeGreaterThanOrEqual(days[day - 1] ?? 0);
  expect(budgetOn(-1, NEW_CONTACTS_PER_DAY)).toBe(10);
});

test('a valid table is read, and anything else is ignored', () => {
  expect(parseBudget('0:5, 30:90')).toEqual([
    { fromDay: 0, perDay: 5 },
    { fromDay: 30, perDay: 90 },
  ]);
  for (const wrong of ['', '5', '3:10', '0:10,0:20', '0:10,7:', '7:10,0:5', '0:0', '0:-1', '0:1;3:2'])
    expect(parseBudget(wrong)).toBeNull();
});

test('pauses after refusals grow longer within a week', () => {
  expect([0, 1, 2, 3, 9].map((before) => refusalPauseMs(before) / HOUR)).toEqual([1, 6, 24, 24, 24]);
});

test('a refusal says until when it lasts, and that nothing was sent', () => {
  const at = new Date('2026-11-23T14:05:59Z');
  expect(inUtc(at)).toBe('23 November 2026, 14:05 UTC');
  for (const limit of ['timelock', 'cap', 'pause', 'budget'] as const) {
    const sentence = contactRefusal(limit, at, 10);
    expect(sentence).toContain('23 November 2026, 14:05 UTC');
    expect(sentence).toContain('Nothing was sent');
  }
});

test('a refusal counts against a number by its code, or without one', () => {
  expect([421, 429, 463, 475, 479, 500, null].filter(isAgainstNumber)).toEqual([429, 463, 475, 479, null]);
});
