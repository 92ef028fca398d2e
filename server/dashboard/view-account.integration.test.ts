import type { TRPCError } from '@trpc/server';
import { beforeAll, expect, test } from 'vitest';
import { sealLinking } from '#server/numbers/queries/linking-seal.ts';
import { signInsThatHold } from '#server/people/queries/sign-ins.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { endSignIn } from '#server/people/sign-in.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, signedIn } from '#server/testing/domain.ts';
import { callerOf } from './router.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));

/** An administrator's browser; each `api` is a separate request, as pages make them. */
async function administrator() {
  const { userId, accountId } = await makeAccount(database, 0);
  await database.sql`update users set admin = true where id = ${userId}`;
  const signIn = await signedIn(database, { userId });
  const api = async (signal?: AbortSignal) => {
    const user = await sessionUser({ database }, signIn);
    return callerOf({ database, user, accountChoice: accountId, address: '192.0.2.7', device: null }, signal);
  };
  return { userId, accountId, ...signIn, api };
}

const refusal = (promise: Promise<unknown>): Promise<TRPCError> =>
  promise.then(
    () => {
      throw new Error('it was allowed');
    },
    (error: TRPCError) => error,
  );

const viewsOf = async (accountId: string) =>
  (
    await database.sql<{ action: string; userId: string; address: string }[]>`
      select l.action, a.user_id as "userId", a.address from audit_log l join audit_actors a on a.audit_id = l.id
      where l.account_id = ${accountId} and l.action like 'account.view%' order by l.id`
  ).map((row) => ({ ...row }));

test('an administrator sees only that account, and the start and end are in the audit log', async () => {
  const customer = await makeAccount(database);
  const numberId = await makeNumber(database, { ...customer, label: 'Workshop' });
  const { userId, accountId, api } = await administrator();

  await (await api()).admin.beginView({ accountId: customer.accountId });
  expect(await (await api()).account.me()).toMatchObject({
    account: { accountId: customer.accountId, role: 'owner' },
    accounts: [{ accountId: customer.accountId }],
    viewing: true,
    admin: false,
  });
  expect(await (await api()).numbers.list()).toMatchObject([{ id: numberId, name: 'Workshop' }]);
  expect(await (await api()).people.list()).toMatchObject([{ email: customer.email }]);

  expect(await (await api()).admin.endView()).toEqual({ accountId: customer.accountId });
  expect(await (await api()).admin.endView()).toBeNull();
  expect(await (await api()).account.me()).toMatchObject({
    account: { accountId },
    viewing: false,
    admin: true,
  });
  expect(await viewsOf(customer.accountId)).toEqual([
    { action: 'account.view', userId, address: '192.0.2.7' },
    { action: 'account.view_end', userId, address: '192.0.2.7' },
  ]);
});

test('nothing can be changed during a view, and the administration is unavailable', async () => {
  const customer = await makeAccount(database);
  const numberId = await makeNumber(database, customer);
  const { accountId, api } = await administrator();
  await (await api()).admin.beginView({ accountId: customer.accountId });
  const asked = await api();
  const words = `You are viewing ${customer.email} as a member, so you cannot change anything. End the view first.`;
  for (const attempt of [
    () => asked.numbers.setLabel({ numberId, label: 'Mine' }),
    () => asked.keys.create({ numberId, name: 'Mine', expiresAt: null }),
    () => asked.admin.suspendAccount({ accountId, suspended: true }),
    () => asked.admin.beginView({ accountId }),
    () => asked.user.endAllSignIns(),
  ]) {
    const error = await refusal(attempt());
    expect([error.code, error.message]).toEqual(['FORBIDDEN', words]);
  }
  const listed = await refusal(asked.admin.accounts({ search: '' }));
  expect(listed.message).toBe(`You are viewing ${customer.email} as a member. End the view first.`);
});

test('the QR and pairing code are shown to the account’s members only', async () => {
  const customer = await makeAccount(database);
  const numberId = await makeNumber(database, customer);
  await database.sql`
    update numbers set intent = 'link', link_until = clock_timestamp() + interval '5 minutes' where id = ${numberId}`;
  await database.sql`
    insert into number_links (number_id, qr, qr_expires_at, pairing_code, updated_at)
    values (${numberId}, ${sealLinking(numberId, 'a QR')}, clock_timestamp() + interval '5 minutes',
      ${sealLinking(numberId, 'ABCD2345')}, clock_timestamp())`;
  const owner = await sessionUser({ database }, await signedIn(database, customer));
  const shown = callerOf({ database, user: owner, accountChoice: null, address: null, device: null });
  expect(await shown.numbers.linking({ numberId })).toMatchObject({
    qr: { size: expect.any(Number) },
    pairingCode: 'ABCD2345',
  });
  const { api } = await administrator();
  await (await api()).admin.beginView({ accountId: customer.accountId });
  expect(await (await api()).numbers.linking({ numberId })).toMatchObject({ qr: null, pairingCode: null });
});

test('a view ends when its user is no longer an administrator', async () => {
  const customer = await makeAccount(database);
  const { userId, accountId, api } = await administrator();
  await (await api()).admin.beginView({ accountId: customer.accountId });
  await database.sql`update users set admin = false where id = ${userId}`;
  expect((await (await api()).account.me()).account.accountId).toBe(accountId);
});

test('starting a view requires the password and an existing account', async () => {
  const { signInId, api } = await administrator();
  expect((await refusal((await api()).admin.beginView({ accountId: 'acc_none' }))).code).toBe('NOT_FOUND');
  await database.sql`
    update sign_ins set confirmed_at = clock_timestamp() - interval '1 hour' where id = ${signInId}`;
  const { accountId } = await makeAccount(database);
  const error = await refusal((await api()).admin.beginView({ accountId }));
  expect(error.message).toBe('Confirm your password to continue.');
});

test('a page’s stream ends with the view, and signing out ends the view', async () => {
  const customer = await makeAccount(database);
  const { userId, signInId, api } = await administrator();
  await (await api()).admin.beginView({ accountId: customer.accountId });
  const { signal } = new AbortController();
  const stream = await (await api(signal)).live.changes();
  const first = await stream[Symbol.asyncIterator]().next();
  expect(first.value).toMatchObject({ all: true });
  await (await api()).admin.endView();
  let last: unknown;
  for await (const event of stream) last = event;
  expect(last).toEqual({ ended: 'view_ended' });

  await (await api()).admin.beginView({ accountId: customer.accountId });
  const actor = { kind: 'user', userId, address: null } as const;
  await endSignIn({ database, userId, actor }, { signInId });
  expect((await viewsOf(customer.accountId)).map(({ action }) => action)).toEqual([
    ...['account.view', 'account.view_end'],
    ...['account.view', 'account.view_end'],
  ]);
});

test('deleting the viewed account ends the view and returns to the administrator’s own account', async () => {
  const customer = await makeAccount(database);
  const { accountId, signInId, api } = await administrator();
  await (await api()).admin.beginView({ accountId: customer.accountId });
  const asked = [customer.accountId, accountId].map((one) => ({ signInId, accountId: one }));
  expect(await signInsThatHold(database.db, asked)).toEqual([{ ...asked[0], owner: false }]);
  await database.sql`update accounts set deleted_at = clock_timestamp() where id = ${customer.accountId}`;
  expect((await (await api()).account.me()).account.accountId).toBe(accountId);
  expect(await signInsThatHold(database.db, asked)).toEqual([{ ...asked[1], owner: true }]);
});
