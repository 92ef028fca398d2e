import { expect, test } from 'vitest';
import type { AlertFacts } from './alert.ts';
import { ALERTS } from './alerts.ts';
import { healthWords } from './number-health.ts';

const FACTS: AlertFacts = {
  ...{ number: 'Shop', cause: null, detail: null, waiting: null, scheduled: 0, refused: null, unknown: null },
  ...{
    account: '',
    at: '',
    timeZone: 'UTC',
    refusedTo: '',
    cancelledTo: '',
    refusedAnswer: null,
    countedUntil: '14:05 UTC',
    contact: '',
  },
  ...{ cancelled: null, numbersIncluded: null },
  ...{ graceDays: 7, webhookRetentionDays: 30 },
};
const WELL = {
  ...{ limit: null, timelockKind: null, capStatus: null, checkpoint: null, lookUpsPaused: false },
  ...{ messages: 0, notTaken: 0, people: 0, newPeople: 0 },
};
const CHECKS = ['PASSKEY', 'CAPTCHA'].map((checkpoint) => healthWords({ ...WELL, checkpoint }).sentence);

test('an alert about a check alone does not say that a request is refused, or that WhatsApp restricts the number', () => {
  for (const detail of CHECKS) {
    for (const kind of ['health', 'unrestricted'] as const) {
      const words = Object.values(ALERTS[kind].words({ ...FACTS, detail })).join(' ');
      expect(words).toContain('check');
      expect(words).not.toMatch(/429|restrict|new people/i);
    }
  }
});

test('an alert about a restriction says that requests to new people are refused while it lasts', () => {
  for (const limit of ['timelock', 'cap', 'pause'] as const) {
    const { sentence } = healthWords({ ...WELL, limit });
    const { what } = ALERTS.health.words({ ...FACTS, detail: sentence });
    expect(what).toContain(sentence);
    expect(what).toContain('429');
  }
});

test('the alert about an endpoint that was switched off names the days for which events are kept', () => {
  const { what, todo } = ALERTS.webhook_off.words(FACTS);
  expect(what).toContain('It failed for 3 days.');
  expect(todo).toContain('They are kept for up to 30 days.');
});
