import { expect, test } from 'vitest';
import { mailOf } from './mail-alerts.ts';

const DUE = {
  ...{
    alertId: 'alt_1',
    userId: 'usr_1',
    email: 'ann@example.com',
    accountId: 'acc_1',
    accountName: 'Heron',
  },
  ...{ member: true, timeZone: null, numberId: 'num_1', numberLabel: 'Shop', phoneNumber: null, waiting: 0 },
  ...{ tries: 1, detail: null, happenedAt: new Date(0) },
} as const;
const pageOf = (due: Parameters<typeof mailOf>[0]) => {
  const { pathname, search } = new URL(mailOf(due).letter.button.href);
  return pathname + search;
};

test('the button of a mail leads to what it is about', () => {
  expect(pageOf({ ...DUE, kind: 'logged_out' })).toBe('/numbers/num_1');
  expect(pageOf({ ...DUE, kind: 'requests_refused' })).toBe('/requests?show=refused&number=num_1');
  expect(pageOf({ ...DUE, kind: 'plan_ended', numberId: null })).toBe('/account/plan');
});

test('an administrator who is no member is led to the page about the account', () => {
  expect(pageOf({ ...DUE, kind: 'logged_out', member: false })).toBe('/admin/accounts/acc_1');
});
