import { expect, test } from 'vitest';
import { ALERTS } from './alerts.ts';

test('the alert about a webhook endpoint says for how many days events are kept', () => {
  const facts = {
    number: '',
    detail: null,
    waiting: null,
    refused: null,
    graceDays: 3,
    webhookRetentionDays: 30,
  };
  const { what, todo } = ALERTS.webhook_off.words(facts);
  expect(what).toContain('It failed for 3 days.');
  expect(todo).toContain('events are kept for 30 days');
});
