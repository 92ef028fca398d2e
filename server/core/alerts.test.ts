import { expect, test } from 'vitest';
import { READING } from '#server/testing/alert-reading.ts';
import { ALERTS, parseFacts } from './alerts.ts';
import { healthWords } from './number-health.ts';

const WELL = {
  ...{ limit: null, timelockKind: null, capStatus: null, checkpoint: null, lookUpsPaused: false },
  ...{ messages: 0, notTaken: 0, people: 0, newPeople: 0 },
};
const RESTRICTION = { limit: null, timelockKind: null, checkpoint: null, until: null };

test('an alert about a check alone does not say that a request is refused, or that WhatsApp restricts the number', () => {
  for (const checkpoint of ['PASSKEY', 'CAPTCHA']) {
    const facts = { ...RESTRICTION, checkpoint };
    for (const kind of ['health', 'unrestricted'] as const) {
      const words = Object.values(ALERTS[kind].words({ ...READING, facts })).join(' ');
      expect(words).toContain('check');
      expect(words).not.toMatch(/429|restrict|new people/i);
    }
  }
});

test('an alert about a restriction says that requests to new people are refused while it lasts', () => {
  for (const limit of ['timelock', 'cap', 'pause'] as const) {
    const { sentence } = healthWords({ ...WELL, limit });
    const facts = { ...RESTRICTION, limit, until: '2026-11-23T14:05:00.000Z' };
    const { what } = ALERTS.health.words({ ...READING, facts });
    expect(what).toContain(`${sentence} It lasts until 23 November 2026, 14:05 UTC.`);
    expect(what).toContain('429');
  }
});

test('the alert about an endpoint that was switched off names the days for which events are kept', () => {
  const { what, todo } = ALERTS.webhook_off.words(READING);
  expect(what).toContain('It failed for 3 days.');
  expect(todo).toContain('They are kept for up to 30 days.');
});

test('facts of another version are not read, and a sentence of an earlier one is only shown', () => {
  const none = { facts: null, legacy: null };
  expect(parseFacts('to_decide', { count: 3, scheduled: 1 })).toEqual({
    ...none,
    facts: { count: 3, scheduled: 1 },
  });
  expect(parseFacts('to_decide', { count: 'three' })).toEqual(none);
  expect(parseFacts('not_sending', null)).toEqual(none);
  const legacy = 'It may not write to new people.';
  expect(parseFacts('health', { legacy })).toEqual({ ...none, legacy });
  expect(ALERTS.health.words({ ...READING, legacy }).what).toContain(legacy);
});
