import { expect, test } from 'vitest';
import { digestOf, mailOf } from './mail-alerts.ts';

const DUE = {
  ...{
    alertId: 'alt_1',
    userId: 'usr_1',
    email: 'ann@example.com',
    accountId: 'acc_1',
    accountName: 'Heron',
  },
  ...{ member: true, timeZone: null, numberId: 'num_1', numberLabel: 'Shop', phoneNumber: null, waiting: 0 },
  ...{ tries: 1, digest: false, detail: null, happenedAt: new Date(0) },
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

test('an administrator who is not a member gets a link to the page about the account', () => {
  expect(pageOf({ ...DUE, kind: 'logged_out', member: false })).toBe('/admin/accounts/acc_1');
});

test('a digest names each alert with its account, and leads to the page when all are about the same', () => {
  const shop = { ...DUE, kind: 'logged_out', digest: true } as const;
  const { subject, letter } = digestOf([shop, { ...shop, alertId: 'alt_2', kind: 'recovered' }]);
  expect(subject).toBe('2 alerts since yesterday – Heron');
  expect(letter.sections?.map(({ title }) => title)).toEqual(['Shop is unlinked', 'Shop is connected again']);
  expect(letter.sections?.[0]).toMatchObject({
    note: expect.stringMatching(/^Heron, /),
    todo: expect.stringContaining('Link again'),
  });
  expect(letter.button.href).toMatch(/\/numbers\/num_1$/);
  const other = digestOf([shop, { ...shop, numberId: 'num_2', accountName: 'Sons' }]);
  expect(other.subject).toBe('2 alerts since yesterday');
  expect(other.letter.button.label).toBe('Open Wirebird');
});

test('each mail before a plan stops says what becomes of messages that wait or are scheduled', () => {
  for (const kind of ['plan_7_days', 'plan_1_day', 'plan_grace'] as const)
    expect(mailOf({ ...DUE, kind, detail: '2026-11-30' }).letter.paragraphs.join(' '), kind).toContain(
      'Waiting and scheduled messages are then cancelled.',
    );
});

test('the last reminder of a plan differs from the first one in its subject', () => {
  const subjectOf = (kind: 'plan_7_days' | 'plan_1_day') =>
    mailOf({ ...DUE, kind, detail: '2026-11-30' }).subject;
  expect(subjectOf('plan_7_days')).toMatch(/^The plan ends on 30 November 2026/);
  expect(subjectOf('plan_1_day')).toMatch(/^Last reminder: the plan ends on 30 November 2026/);
});

test('a mail that asks for an action does not begin with “Nothing”', () => {
  for (const kind of ['plan_paid', 'plan_enabled', 'recovered'] as const)
    expect(mailOf({ ...DUE, kind, detail: '2026-11-30' }).letter.todo, kind).not.toMatch(/^Nothing/);
});
