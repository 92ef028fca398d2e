import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import { underWay } from './under-way.ts';

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
const about = (...kinds: AlertKind[]) => kinds.map((kind) => ({ kind, numberId: 'num_1' }));

test('an unhealthy number is under way, with its alert once that is raised', () => {
  const alertOf = (of: Partial<NumberItem>, ...kinds: AlertKind[]) =>
    underWay([number(of)], about(...kinds)).map(({ alert }) => alert?.kind ?? null);
  expect(alertOf({})).toEqual([null]);
  expect(alertOf({}, 'recovered', 'logged_out')).toEqual([null]);
  expect(alertOf({}, 'logged_out')).toEqual(['logged_out']);
  expect(alertOf({ status: 'RECONNECTING' }, 'logged_out')).toEqual([null]);
  expect(alertOf({ status: 'CONNECTED', toDecide: 2 }, 'logged_out')).toEqual([null]);
  expect(alertOf({ status: 'CONNECTED', toDecide: 2 }, 'to_decide')).toEqual(['to_decide']);
});

test('a number that is healthy or was never linked is not under way', () => {
  const quiet = [
    number({ status: 'CONNECTED' }),
    number({ status: 'UNLINKED' }),
    number({ phoneNumber: null }),
    number({ status: 'RECONNECTING', sessionStop: 'plan' }),
  ];
  expect(underWay(quiet, about('logged_out'))).toEqual([]);
});
