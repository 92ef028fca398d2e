import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, IN_A_MONTH, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { replaceIn } from '#server/testing/replace-in.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { backUp } from './back-up.ts';

/** What a restore over existing data lost. */

let busy: Awaited<ReturnType<typeof createTestDatabase>>;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-lost-'));
});
beforeEach(async () => {
  busy = await createTestDatabase();
});
afterEach(() => busy.drop());
afterAll(async () => {
  await stopClientBoss();
  await rm(directory, { recursive: true, force: true });
});

test('what a restore of its own backup lost is counted for each account and number, and is in the audit log', async () => {
  const { accountId, userId } = await makeAccount(busy);
  const context = { database: busy, accountId, actor: CLI };
  const numberId = await makeNumber(busy, { accountId, label: 'Parcels' });
  const revoked = await createApiKey(context, { numberId });
  const of = { accountId, numberId };
  await queueMessage(busy, of);
  const own = path.join(directory, 'counted.gz');
  await backUp({ database: busy }, { file: own });

  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await queueMessage(busy, of));
  const [sent, read, unknown, failed, cancelled] = ids as [string, string, string, string, string];
  await busy.sql`update messages set status = 'sending', wa_message_id = id where id = any(${[sent, read, unknown, failed]})`;
  for (const [id, status] of Object.entries({
    ...{ [sent]: 'sent', [read]: 'read', [unknown]: 'unknown', [failed]: 'failed', [cancelled]: 'cancelled' },
  }))
    await busy.sql`update messages set status = ${status} where id = ${id}`;
  await revokeApiKey(context, { keyId: revoked.id });
  await createApiKey(context, { numberId });
  await activatePlan(context, { numbersIncluded: 5, paidUntil: IN_A_MONTH });
  const added = await makeNumber(busy, { accountId, label: 'Returns' });
  await queueMessage(busy, { accountId, numberId: added });
  const url = 'https://hooks.heron.example/';
  await createEndpoint(context, { url, numberId: null, events: ['message.sent'] });
  const newcomer = await makeAccount(busy);
  await busy.sql`insert into memberships (account_id, user_id, role) values (${accountId}, ${newcomer.userId}, 'member')`;

  const restored = await replaceIn(busy, own);
  const nothing = { keys: 0, revokedKeys: 0, numbers: 0, members: 0, webhooks: 0, payments: 0 };
  expect(restored).toMatchObject({ sameInstallation: true, replaced: true });
  expect(restored.lost).toEqual([
    {
      ...{ accountId, account: expect.any(String), whole: false, planChanged: true },
      ...{ keys: 1, revokedKeys: 1, numbers: 1, members: 1, webhooks: 1, payments: 1 },
      ofNumbers: [
        {
          ...{ numberId, label: 'Parcels', phoneNumber: null },
          messages: { sent: 2, unknown: 1, waiting: 1, notSent: 2 },
          newest: expect.toSatisfy((newest: unknown[]) => newest.length === 5),
        },
        {
          ...{ numberId: added, label: 'Returns', phoneNumber: null },
          messages: { sent: 0, unknown: 0, waiting: 1, notSent: 0 },
          newest: [
            {
              at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
              to: expect.stringMatching(/@c\.us$/),
              became: 'waiting',
            },
          ],
        },
      ],
    },
    {
      ...{ accountId: newcomer.accountId, account: expect.any(String), whole: true, planChanged: true },
      ...{ ...nothing, members: 1, payments: 1, ofNumbers: [] },
    },
  ]);
  expect(await busy.sql`select 1 from users where id = ${userId}`).toHaveLength(1);
  const { rows } = await listAudit({ database: busy }, { action: 'installation.restore', limit: 9 });
  expect(rows.map((row) => [row.accountId, row.target, row.detail?.lost ?? null]).reverse()).toEqual([
    [
      ...[null, null],
      '1 account, 7 messages (2 sent, 1 unknown, 2 waiting, 2 not sent), 1 API key, 1 number, 2 members, 1 webhook endpoint, 2 payments, 2 changes of plans, 1 revoked API key that works again',
    ],
    [
      ...[accountId, accountId],
      '7 messages (2 sent, 1 unknown, 2 waiting, 2 not sent), 1 API key, 1 number, 1 member, 1 webhook endpoint, 1 payment, 1 change of the plan, 1 revoked API key that works again',
    ],
    [accountId, numberId, '6 messages (2 sent, 1 unknown, 1 waiting, 2 not sent)'],
    [accountId, added, '1 message (1 waiting)'],
    [
      ...[newcomer.accountId, newcomer.accountId],
      'the whole account, 1 member, 1 payment, 1 change of the plan',
    ],
  ]);
  // Nothing happened since: the same backup again.
  expect(await replaceIn(busy, own)).toMatchObject({ replaced: true, lost: [] });
});

test('what a restore lost is not counted when the replaced tables are of another version', async () => {
  await makeAccount(busy);
  const file = path.join(directory, 'other.gz');
  await backUp({ database: busy }, { file });
  await busy.sql`alter table api_keys rename column revoked_at to ended_at`;
  expect(await replaceIn(busy, file)).toMatchObject({ replaced: true, lost: null });
});
