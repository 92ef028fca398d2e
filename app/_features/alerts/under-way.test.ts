import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { KINDS } from '#server/alerts/alert-kinds.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import { notYetRaised, openAlerts } from './under-way.ts';

const number = (of: Partial<NumberItem>) =>
  ({
    id: 'num_1',
    status: 'LOGGED_OUT',
    phoneNumber: '491701234567',
    toDecide: 0,
    keptBack: 0,
    scheduled: 0,
    closedToNew: false,
    failing: null,
    sessionStop: null,
    ...of,
  }) as NumberItem;
const alert = (kind: AlertKind, open = true) => ({
  kind,
  open,
  topic: KINDS[kind].topic,
  state: KINDS[kind].state ?? null,
  numberId: 'num_1',
});

test('an unhealthy number is shown until its alert is raised', () => {
  const missing = (of: Partial<NumberItem>, ...alerts: ReturnType<typeof alert>[]) =>
    notYetRaised([number(of)], alerts).length === 1;
  expect(missing({})).toBe(true);
  expect(missing({}, alert('logged_out', false))).toBe(true);
  expect(missing({}, alert('logged_out'))).toBe(false);
  expect(missing({ status: 'RECONNECTING' }, alert('logged_out'))).toBe(true);
  expect(missing({ status: 'CONNECTED', toDecide: 2 }, alert('logged_out'))).toBe(true);
  expect(missing({ status: 'CONNECTED', toDecide: 2 }, alert('to_decide'))).toBe(false);
});

test('a newer alert of another kind does not hide the one about its state', () => {
  const alerts = [alert('requests_refused'), alert('logged_out')];
  expect(notYetRaised([number({})], alerts)).toEqual([]);
  expect(openAlerts(alerts)).toEqual(alerts);
});

test('an alert that is over is not under way, nor is one about the plan', () => {
  expect(openAlerts([alert('webhook_off', false), alert('plan_7_days')])).toEqual([]);
});

test('a number that is healthy or was never linked is not under way', () => {
  const quiet = [
    number({ status: 'CONNECTED' }),
    number({ status: 'UNLINKED' }),
    number({ phoneNumber: null }),
    number({ status: 'RECONNECTING', sessionStop: 'plan' }),
  ];
  expect(notYetRaised(quiet, [])).toEqual([]);
});
