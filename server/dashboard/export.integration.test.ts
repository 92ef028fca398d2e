import { beforeAll, expect, test } from 'vitest';
import { sessionUser } from '#server/people/session-user.ts';
import { beginView } from '#server/people/view-account.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, signedIn } from '#server/testing/domain.ts';
import { answerExport } from './export.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));

async function exportFor(userId: string | null, { hoursAgo = 0 } = {}): Promise<Response> {
  const signIn = userId === null ? null : await signedIn(database, { userId });
  if (signIn)
    await database.sql`
      update sign_ins set confirmed_at = clock_timestamp() - ${hoursAgo} * interval '1 hour' where id = ${signIn.signInId}`;
  const user = signIn && (await sessionUser({ database }, signIn));
  return answerExport({ database, user, accountChoice: null, address: '192.0.2.7', device: null });
}

test('an owner who has just entered the password gets a file that no cache stores', async () => {
  const { userId, accountId } = await makeAccount(database, 0);
  const answer = await exportFor(userId);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringContaining(`wirebird-${accountId}-`),
    'cache-control': 'private, no-store',
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  const logged =
    await database.sql`select 1 from audit_log where account_id = ${accountId} and action = 'account.export'`;
  expect(logged).toHaveLength(1);
});

test('nobody else gets it: no owner with an old confirmation, no member, no stranger', async () => {
  const { userId, accountId } = await makeAccount(database, 0);
  expect((await exportFor(userId, { hoursAgo: 1 })).status).toBe(403);
  expect((await exportFor(null)).status).toBe(401);
  await database.sql`update memberships set role = 'member' where user_id = ${userId}`;
  expect((await exportFor(userId)).status).toBe(403);
  expect(
    await database.sql`select 1 from audit_log where account_id = ${accountId} and action = 'account.export'`,
  ).toHaveLength(0);
});

test('an administrator who views the account does not get it', async () => {
  const { accountId } = await makeAccount(database, 0);
  const { userId } = await makeAccount(database, 0);
  await database.sql`update users set admin = true where id = ${userId}`;
  const signIn = await signedIn(database, { userId });
  const actor = { kind: 'user', userId, address: null } as const;
  await beginView({ database, accountId, actor }, signIn);
  const user = await sessionUser({ database }, signIn);
  const answer = await answerExport({ database, user, accountChoice: null, address: null, device: null });
  expect(answer.status).toBe(403);
  expect(
    await database.sql`select 1 from audit_log where account_id = ${accountId} and action = 'account.export'`,
  ).toHaveLength(0);
});
