import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { Me } from '#app/_features/shell/me.tsx';
import { stepsOf } from './steps.ts';

const PLAN = { state: 'active', trial: null, price: 25 } as Me['plan'];
const ME = { account: { accountId: 'acc_1' }, admin: false, sandbox: true, plan: PLAN } as Me;
const DONE = { plan: true, planRequested: false, phone: false, key: true, sent: true };
const sandboxNumber = (status: NumberItem['status']) =>
  ({
    id: 'num_1',
    name: 'Shop',
    network: 'sandbox',
    status,
    cause: null,
    statusReason: null,
    stranded: false,
  }) as NumberItem;

test('an account with sandbox numbers has the same steps in each of their states', () => {
  for (const status of ['CONNECTED', 'RECONNECTING', 'LOGGED_OUT', 'BLOCKED', 'UNLINKED'] as const) {
    const numbers = [sandboxNumber(status)];
    const steps = stepsOf({ progress: DONE, setUp: null, me: ME, plan: PLAN, numbers });
    expect(steps.map(({ key, done }) => [key, done])).toEqual([
      ['first', true],
      ['plan', true],
      ['phone', false],
      ['key', true],
    ]);
    // A sandbox number is not the own phone that the step links.
    expect(steps.find(({ key }) => key === 'phone')).toMatchObject({ href: '/numbers/new' });
  }
});

test('without a plan, the step that links the own phone leads to the plan', () => {
  const progress = { ...DONE, plan: false };
  const plan = { ...PLAN, state: 'none' } as Me['plan'];
  const phoneOf = (me: Me) =>
    stepsOf({ progress, setUp: null, me, plan, numbers: [] }).find(({ key }) => key === 'phone');
  expect(phoneOf(ME)).toMatchObject({
    text: 'It needs a plan first.',
    href: '/account/plan',
    do: 'Open the plan',
  });
  expect(phoneOf({ ...ME, admin: true })).toMatchObject({ href: '/admin/accounts/acc_1' });
});

test('after the request for a plan, the step says that the administrator has it', () => {
  const progress = { ...DONE, plan: false, planRequested: true };
  const plan = { ...PLAN, state: 'none' } as Me['plan'];
  const steps = stepsOf({ progress, setUp: null, me: ME, plan, numbers: [] });
  expect(steps.find(({ key }) => key === 'plan')).toMatchObject({
    done: false,
    title: 'Wait for your plan',
    href: '/account/plan',
  });
});
