import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#server/db/testing.ts';
import { stopClientBoss } from '#server/queue/boss.ts';
import { admitMessage, newMessageId } from './admission.ts';
import { identifyCaller } from './caller.ts';
import { createApiKey } from './create-api-key.ts';
import { suspendAccount } from './suspend-account.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, messageState, queueMessage } from './testing.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await stopClientBoss();
  await database.drop();
});

test('a suspended account has no access, what waits is cancelled, and resuming gives access back', async () => {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, account);
  await linkAsWorker(database, { numberId });
  const { key } = await createApiKey(database, { ...account, numberId, actor: CLI });
  const messageId = await queueMessage(database, { ...account, numberId });
  const suspend = (suspended: boolean) => suspendAccount(database, { ...account, suspended, actor: CLI });

  await suspend(true);
  await suspend(true);
  expect((await identifyCaller(database, key)).access).toBe('suspended');
  expect(await messageState(database, messageId)).toMatchObject({
    status: 'cancelled',
    errorCode: 'suspended',
  });
  await suspend(false);
  expect((await identifyCaller(database, key)).access).toBe('ok');
  const actions = await database.sql`
    select action from audit_log where account_id = ${account.accountId} and action like 'account.%' order by id`;
  expect(actions.map(({ action }) => action)).toEqual([
    'account.create',
    'account.suspend',
    'account.resume',
  ]);
});

test('suspending an account leaves the others alone', async () => {
  const account = await makeAccount(database);
  const other = await makeAccount(database);
  const numberId = await makeNumber(database, other);
  const waiting = await queueMessage(database, { ...other, numberId });
  await suspendAccount(database, { ...account, suspended: true, actor: CLI });
  expect((await messageState(database, waiting)).status).toBe('queued');
});

test('a request that was let in just before the suspension is told of the suspension, not of a plan', async () => {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, account);
  await linkAsWorker(database, { numberId });
  await suspendAccount(database, { ...account, suspended: true, actor: CLI });
  const admission = admitMessage(database, newMessageId(), {
    accountId: account.accountId,
    numberId,
    keyId: null,
    recipient: { kind: 'person', digits: '4915228817386', chatId: '4915228817386@c.us' },
    content: { type: 'text', body: 'Good morning' },
    mode: { kind: 'plain' },
    arrivedAtMs: performance.now(),
    idempotencyKey: null,
    requestId: null,
    requestHash: null,
  });
  await expect(admission).rejects.toMatchObject({
    code: 'plan_inactive',
    message: 'This account is suspended. Write to the administrator to resume it.',
  });
});
