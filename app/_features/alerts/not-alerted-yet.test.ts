import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { notAlertedYet } from './not-alerted-yet.ts';

const number = (of: Partial<NumberItem>) =>
  ({
    id: 'num_1',
    status: 'LOGGED_OUT',
    phoneNumber: '491701234567',
    toDecide: 0,
    keptBack: 0,
    scheduled: 0,
    closedToNew: false,
    sessionStop: null,
    ...of,
  }) as NumberItem;
const about = (...kinds: Parameters<typeof notAlertedYet>[1][number]['kind'][]) =>
  kinds.map((kind) => ({ kind, numberId: 'num_1' }));

test('the bell lists an unhealthy number until its alert exists', () => {
  expect(notAlertedYet([number({})], [])).toHaveLength(1);
  expect(notAlertedYet([number({})], about('recovered', 'logged_out'))).toHaveLength(1);
  expect(notAlertedYet([number({})], about('logged_out'))).toEqual([]);
  expect(notAlertedYet([number({ status: 'RECONNECTING' })], about('logged_out'))).toHaveLength(1);
  expect(notAlertedYet([number({ status: 'CONNECTED', toDecide: 2 })], about('logged_out'))).toHaveLength(1);
});

test('the bell lists no number that is healthy or was never linked', () => {
  const quiet = [
    number({ status: 'CONNECTED' }),
    number({ status: 'UNLINKED' }),
    number({ phoneNumber: null }),
    number({ status: 'RECONNECTING', sessionStop: 'plan' }),
  ];
  expect(notAlertedYet(quiet, [])).toEqual([]);
});
