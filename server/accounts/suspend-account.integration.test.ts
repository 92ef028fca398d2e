import { afterAll, describe, expect, test } from 'vitest';
import { identifyCaller } from '#server/api-keys/caller.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { newId } from '#server/core/id.ts';
import { personOf } from '#server/core/recipient.ts';
import { admitMessage } from '#server/messages/admission.ts';
import { claimSlot } from '#server/messages/queries/claim.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { resumeNumber, suspendNumber } from '#server/numbers/suspend-number.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { storedLane } from '#server/schema/lane.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  queueMessage,
} from '#server/testing/domain.ts';
import { suspendAccount } from './suspend-account.ts';

const database = testDatabase();
afterAll(stopClientBoss);

const admit = (number: { accountId: string; numberId: string }) =>
  admitMessage({ database, ...number, keyId: null }, newId('message'), {
    recipient: personOf('4915228817386'),
    content: { type: 'text', body: 'Good morning' },
    mode: { kind: 'sync' },
    arrivedAtMs: performance.now(),
    idempotencyKey: null,
    requestId: null,
    requestHash: null,
    reference: null,
  });

test('suspending an account ends its access and cancels its waiting messages, and resuming gives access back', async () => {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, account);
  await linkAsWorker(database, { numberId });
  const { key } = await createApiKey({ database, ...account, actor: CLI }, { numberId });
  const messageId = await queueMessage(database, { ...account, numberId });
  const suspend = (suspended: boolean) => suspendAccount({ database, ...account, actor: CLI }, { suspended });

  await suspend(true);
  await suspend(true);
  expect((await identifyCaller({ database }, key)).access).toBe('suspended');
  expect(await messageState(database, messageId)).toMatchObject({
    status: 'cancelled',
    errorCode: 'suspended',
  });
  await suspend(false);
  expect((await identifyCaller({ database }, key)).access).toBe('ok');
  const actions = await database.sql`
    select action from audit_log where account_id = ${account.accountId} and action like 'account.%' order by id`;
  expect(actions.map(({ action }) => action)).toEqual([
    'account.create',
    'account.suspend',
    'account.resume',
  ]);
});

test('suspending an account does not affect other accounts', async () => {
  const account = await makeAccount(database);
  const other = await makeAccount(database);
  const numberId = await makeNumber(database, other);
  const waiting = await queueMessage(database, { ...other, numberId });
  await suspendAccount({ database, ...account, actor: CLI }, { suspended: true });
  expect((await messageState(database, waiting)).status).toBe('queued');
});

test('a request admitted just before the suspension is refused because of the suspension, not of a plan', async () => {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, account);
  await linkAsWorker(database, { numberId });
  await suspendAccount({ database, ...account, actor: CLI }, { suspended: true });
  await expect(admit({ accountId: account.accountId, numberId })).rejects.toMatchObject({
    code: 'plan_inactive',
    message: 'This account is suspended. Ask the administrator to resume it.',
  });
});

describe('one number', () => {
  async function withNumber() {
    const { accountId } = await makeAccount(database);
    const numberId = await makeNumber(database, { accountId });
    const holding = await linkAsWorker(database, { numberId });
    const other = await makeNumber(database, { accountId });
    await linkAsWorker(database, { numberId: other });
    return { ref: { accountId, numberId, actor: CLI }, other: { accountId, numberId: other }, holding };
  }
  const claim = async (holding: Awaited<ReturnType<typeof linkAsWorker>>) => {
    const claimed = await claimSlot(database, holding, { intervalMs: 0 });
    await claimed?.committed;
    return claimed?.message ?? null;
  };

  test('that is suspended sends nothing and answers 409 with the reason; the others keep sending', async () => {
    const { ref, other, holding } = await withNumber();
    const waits = await queueMessage(database, ref);
    const sync = await queueMessage(database, { ...ref, recipient: '4915228817387@c.us' });
    await database.sql`update messages set lane = ${storedLane('sync')} where id = ${sync}`;
    const view = await suspendNumber(
      { database, ...ref },
      { ...ref, reason: '  Complaints\nfrom recipients ' },
    );
    expect(view).toMatchObject({ status: 'SUSPENDED', statusReason: 'Complaints from recipients.' });
    expect(await messageState(database, sync)).toMatchObject({
      status: 'cancelled',
      errorCode: 'not_connected',
    });
    expect((await messageState(database, waits)).status).toBe('queued');
    expect(await claim(holding)).toBeNull();
    await expect(admit(ref)).rejects.toMatchObject({
      code: 'not_connected',
      message:
        'The number is not connected (SUSPENDED). Nothing was sent. The administrator suspended it, and only they can resume it. The dashboard shows the reason.',
      details: { numberStatus: 'SUSPENDED', sendOutcome: 'not_sent' },
    });
    await expect(admit(other)).resolves.toMatchObject({ joined: false });
  });

  test('that is resumed asks its owner whether to send the messages that waited', async () => {
    const { ref, holding } = await withNumber();
    await suspendNumber({ database, ...ref }, { ...ref, reason: 'A look at it' });
    await suspendNumber({ database, ...ref }, { ...ref, reason: 'Another!' });
    await queueMessage(database, ref);
    expect(await resumeNumber({ database, ...ref }, ref)).toMatchObject({
      status: 'CONNECTED',
      held: false,
      toDecide: 1,
    });
    expect(await claim(holding)).toBeNull();
    await resumeNumber({ database, ...ref }, ref);
    await expect(admit(ref)).resolves.toMatchObject({ joined: false });
    const logged = await database.sql`
      select action, detail from audit_log where target = ${ref.numberId} and action like 'number.%su%' order by id`;
    expect([...logged]).toEqual([
      { action: 'number.suspend', detail: { reason: 'A look at it.', cancelled: 0 } },
      { action: 'number.resume', detail: { waiting: 1 } },
    ]);
  });

  test('resumes at once where nothing waited, and is not suspended without a reason', async () => {
    const { ref, holding } = await withNumber();
    await expect(suspendNumber({ database, ...ref }, { ...ref, reason: ' ' })).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
    expect((await getNumber({ database, ...ref }, ref)).status).toBe('CONNECTED');
    await suspendNumber({ database, ...ref }, { ...ref, reason: 'A look at it' });
    expect(await resumeNumber({ database, ...ref }, ref)).toMatchObject({ held: false, toDecide: 0 });
    await queueMessage(database, ref);
    expect(await claim(holding)).not.toBeNull();
  });
});
