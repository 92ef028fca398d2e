import { beforeAll, expect, test } from 'vitest';
import { sessionUser } from '#server/people/session-user.ts';
import { beginView } from '#server/people/view-account.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { testDatabase } from '#server/testing/database.ts';
import { IN_A_MONTH, makeAccount, signedIn } from '#server/testing/domain.ts';
import { answerPaymentsCsv } from './payments-csv.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));

async function askAs(signIn: { signInId: string } | null): Promise<Response> {
  const user = signIn && (await sessionUser({ database }, signIn));
  return answerPaymentsCsv({ database, user, accountChoice: null, address: '192.0.2.7', device: null });
}

test('the administrator gets all payments, and no customer’s text becomes a formula', async () => {
  const { accountId } = await makeAccount(database, 0);
  await database.sql`update accounts set name = '=HYPERLINK("http://evil.example")' where id = ${accountId}`;
  const { userId, email, accountId: own } = await makeAccount(database, 0);
  await database.sql`update users set admin = true where id = ${userId}`;
  const payment = { accountId, numbersIncluded: 2, paidUntil: IN_A_MONTH, amountCents: 5000 };
  const actor = { kind: 'user', userId, address: null } as const;
  await activatePlan(
    { database, ...payment, actor },
    { ...payment, paidOn: '2026-11-20', reference: '+1042', note: 'Paid, by transfer' },
  );
  const signIn = await signedIn(database, { userId });
  const answer = await askAs(signIn);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'private, no-store',
  });
  const lines = (await answer.text()).split('\r\n');
  expect(lines[0]).toContain('account id,account,received on,amount (EUR)');
  expect(lines[1]?.slice(lines[1].indexOf(','))).toMatch(
    new RegExp(
      `^,${accountId},"'=HYPERLINK\\(""http://evil.example""\\)",2026-11-20,50.00,2,${IN_A_MONTH},'\\+1042,"Paid, by transfer",${email},pay_`,
    ),
  );
  const logged = await database.sql`select action from audit_log where action = 'plan.payments_csv'`;
  expect(logged).toHaveLength(1);

  await beginView({ database, accountId: own, actor }, signIn);
  expect((await askAs(signIn)).status).toBe(403);
});

test('nobody else gets them', async () => {
  const { userId } = await makeAccount(database, 0);
  expect((await askAs(await signedIn(database, { userId }))).status).toBe(403);
  expect((await askAs(null)).status).toBe(401);
});
