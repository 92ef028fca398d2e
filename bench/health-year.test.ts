import { expect, test } from 'vitest';
import { DAY, GUESSES, WhatsAppModel } from './health-model.ts';
import { type Business, simulateYear, type Wish } from './health-year.ts';

const HOUR = DAY / 24;
/** A model without randomness. */
const never = () => 0.999_999;
const business = (wishes: Wish[], of: Partial<Business> = {}): Business => ({
  ...{ wroteFirst: 0, answers: 0, reports: 0 },
  ...of,
  wishes: () => wishes,
});
const strangers = (count: number, at = 0) => Array.from({ length: count }, (_, person) => ({ at, person }));

test('a protected number contacts as many new people as its budget allows, and loses none of the others', () => {
  const year = simulateYear(business(strangers(15)), 'protected', never);
  expect(year).toMatchObject({ messages: 15, sent: 15, lost: 0, refusedByWhatsApp: 0, delayed: 5 });
  expect(year.newPeopleMost).toBe(10);
  expect(year.delayHoursMedian).toBeGreaterThanOrEqual(24);
});

test('without protection all messages are sent one after another', () => {
  const year = simulateYear(business(strangers(15)), 'nothing', never);
  expect(year).toMatchObject({ messages: 15, sent: 15, delayed: 0, refusedByUs: 0, newPeopleMost: 15 });
});

test('known people do not use the budget', () => {
  const wishes = Array.from({ length: 30 }, (_, n) => ({ at: n * 60_000, person: 1 }));
  const year = simulateYear(business(wishes), 'protected', never);
  expect(year).toMatchObject({ sent: 30, delayed: 0, newPeopleMost: 1 });
});

test('the model restricts a number after three reports, refuses new people only, and bans a number that keeps sending', () => {
  const server = new WhatsAppModel(() => 0.5, 1);
  for (let n = 0; n < GUESSES.reportsToLock; n++) expect(server.receive(n, true)).toBe('taken');
  expect(server.receive(HOUR, false)).toBe('taken');
  for (let n = 0; n < GUESSES.refusalsToBan; n++) expect(server.receive(HOUR, true)).toBe('timelock');
  expect(server.receive(2 * HOUR, false)).toBe('banned');
  expect(server.receive(3 * DAY, true)).toBe('taken');
});
