import { expect, test } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { suspendAccount } from '#server/accounts/suspend-account.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, IN_A_MONTH, makeAccount } from '#server/testing/domain.ts';
import { activatePlan } from './activate-plan.ts';
import { listPlanRequests, planRequestOf, requestPlan, withdrawPlanRequest } from './request-plan.ts';

const database = testDatabase();

async function makeCustomer() {
  const { accountId, userId, email } = await makeAccount(database, 0);
  const actor = { kind: 'user', userId, address: null } as const;
  return { context: { database, accountId, actor }, accountId, email };
}
const WISH = { numbers: 2, contact: 'ann@example.org', note: '' };

test('a customer asks for a plan, changes the request, and it is closed when the plan is enabled', async () => {
  const { context, accountId, email } = await makeCustomer();
  expect(await planRequestOf(context)).toBeNull();
  await requestPlan(context, { numbers: 2, contact: '  Ann,\n+49 151 1  ', note: ' Two shops ' });
  const first = await planRequestOf(context);
  expect(first).toEqual({
    numbers: 2,
    contact: 'Ann, +49 151 1',
    note: 'Two shops',
    createdAt: expect.any(Date),
  });
  await requestPlan(context, { ...WISH, numbers: 3 });
  const changed = { ...WISH, numbers: 3, createdAt: first?.createdAt };
  expect(await planRequestOf(context)).toEqual(changed);
  expect(await listPlanRequests({ database })).toEqual([
    { ...changed, accountId, accountName: email, email, paidUntil: null, numbersIncluded: null },
  ]);

  await activatePlan({ ...context, actor: CLI }, { numbersIncluded: 3, paidUntil: IN_A_MONTH });
  expect(await planRequestOf(context)).toBeNull();
  expect(await listPlanRequests({ database })).toEqual([]);
  // The next request is a new one.
  await requestPlan(context, { ...WISH, numbers: 5 });
  expect(await listPlanRequests({ database })).toMatchObject([{ numbers: 5, paidUntil: IN_A_MONTH }]);
  const { rows } = await listAudit({ database }, { accountId, action: 'plan.request', limit: 9 });
  expect(rows.map(({ detail }) => detail)).toEqual([5, 3, 2].map((numbersIncluded) => ({ numbersIncluded })));
  await withdrawPlanRequest(context);
});

test('a withdrawn request is gone, and a suspended account is not listed', async () => {
  const { context, accountId } = await makeCustomer();
  await requestPlan(context, WISH);
  await suspendAccount({ ...context, actor: CLI }, { suspended: true });
  expect(await listPlanRequests({ database })).toEqual([]);
  await suspendAccount({ ...context, actor: CLI }, { suspended: false });
  expect(await listPlanRequests({ database })).toHaveLength(1);
  for (let time = 0; time < 2; time++) await withdrawPlanRequest(context);
  expect(await listPlanRequests({ database })).toEqual([]);
  const { rows } = await listAudit({ database }, { accountId, action: 'plan.withdraw_request', limit: 9 });
  expect(rows).toHaveLength(1);
});

test.each([
  ['no number', { ...WISH, numbers: 0 }, /must be 1 to 10000/],
  ['half a number', { ...WISH, numbers: 1.5 }, /must be 1 to 10000/],
  ['no contact', { ...WISH, contact: ' \u200b\n' }, /Enter a contact/],
  ['a contact that is too long', { ...WISH, contact: 'x'.repeat(201) }, /at most 200 characters/],
  ['a note that is too long', { ...WISH, note: 'x'.repeat(501) }, /at most 500 characters/],
])('a request with %s is refused and says what to do', async (_, wish, words) => {
  const { context } = await makeCustomer();
  await expect(requestPlan(context, wish)).rejects.toThrow(words);
  expect(await planRequestOf(context)).toBeNull();
});
