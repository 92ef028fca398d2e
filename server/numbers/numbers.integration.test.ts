import { afterAll, describe, expect, test, vi } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  queueMessage,
} from '#server/testing/domain.ts';
import { addNumber } from './add-number.ts';
import { getNumber, listNumbers, numberHistory } from './get-number.ts';
import { holdNumber, releaseNumber } from './hold-number.ts';
import { askGroups, numberGroups } from './number-groups.ts';
import { setLabel, setSendInterval } from './number-settings.ts';
import { writeStatus } from './queries/sessions.ts';
import { keepPhone, replacePhone } from './replace-phone.ts';

const database = testDatabase();
afterAll(stopClientBoss);

describe('a new number', () => {
  test('needs no plan, is unlinked, and has a lease, a history and a virtual phone', async () => {
    const { accountId } = await makeAccount(database, 0);
    const number = await addNumber(
      { database, accountId, actor: CLI },
      { network: 'sandbox', label: ' Orders\n\u202edesk ', sendIntervalSeconds: 5 },
    );
    expect(number).toEqual({
      id: expect.stringMatching(/^num_/),
      blockedLeftMs: null,
      failing: null,
      label: 'Orders desk',
      network: 'sandbox',
      phoneNumber: null,
      sandboxPhone: expect.stringMatching(/^999\d{9}$/),
      status: 'UNLINKED',
      cause: null,
      statusReason: null,
      statusSince: expect.any(Date),
      stranded: false,
      sessionStop: null,
      onTrial: false,
      sendIntervalSeconds: 5,
      held: false,
      protected: false,
      replacementPhone: null,
      withinPlan: true,
      access: 'none',
      waiting: 0,
      toDecide: 0,
      toDecideScheduled: 0,
      keptBack: 0,
      scheduled: 0,
      closedToNew: false,
      keptBackUntil: null,
      createdAt: expect.any(Date),
    });
    expect(await database.sql`select 1 from leases where number_id = ${number.id}`).toHaveLength(1);
    expect(await numberHistory({ database, accountId }, { numberId: number.id })).toEqual([
      { status: 'UNLINKED', reason: null, at: expect.any(Date) },
    ]);
  });

  test('is recorded with its interval and whether it is protected, which makes the interval longer', async () => {
    const { accountId } = await makeAccount(database, 0);
    const { id } = await addNumber({ database, accountId, actor: CLI }, { network: 'whatsapp' });
    const [entry] = await database.sql`select detail from audit_log where target = ${id}`;
    expect(entry?.detail).toEqual({ network: 'whatsapp', sendIntervalSeconds: 8, protected: true });
  });

  test('is refused beside fifty unlinked ones, also when the last place is requested twice at once', async () => {
    const { accountId } = await makeAccount(database, 0);
    await database.sql`insert into numbers (id, account_id, network)
      select ${accountId} || n, ${accountId}, 'sandbox' from generate_series(1, 49) n`;
    const add = () => addNumber({ database, accountId, actor: CLI }, { network: 'sandbox' });
    const tries = await Promise.allSettled([add(), add()]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(add()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('50 numbers that were never linked'),
    });
    await database.sql`update numbers set first_linked_at = now() where account_id = ${accountId} and sandbox_phone is not null`;
    await expect(add()).resolves.toMatchObject({ status: 'UNLINKED' });
  });

  test('says whether it may contact new people: not while WhatsApp restricts it, with or without a known end', async () => {
    const { accountId } = await makeAccount(database, 0);
    const { id: numberId } = await addNumber({ database, accountId, actor: CLI }, { network: 'sandbox' });
    const isClosed = async () => (await getNumber({ database, accountId }, { numberId })).closedToNew;
    await database.sql`insert into number_health (number_id, timelock_kind) values (${numberId}, 'DEFAULT')`;
    expect(await isClosed()).toBe(true);
    await database.sql`update number_health set timelock_until = now() + interval '1 hour' where number_id = ${numberId}`;
    expect(await isClosed()).toBe(true);
    await database.sql`update number_health set timelock_until = now() - interval '1 second' where number_id = ${numberId}`;
    expect(await isClosed()).toBe(false);
  });

  test('on the real network has no virtual phone and an interval of eight seconds', async () => {
    const { accountId } = await makeAccount(database, 0);
    const number = await addNumber({ database, accountId, actor: CLI }, { network: 'whatsapp' });
    expect(number).toMatchObject({
      network: 'whatsapp',
      sandboxPhone: null,
      sendIntervalSeconds: 8,
      label: '',
    });
  });

  test.each([
    { sendIntervalSeconds: 4 },
    { sendIntervalSeconds: 601 },
    { sendIntervalSeconds: 5.5 },
    { label: 'x'.repeat(101) },
  ])('is refused with %o', async (wrong) => {
    const { accountId } = await makeAccount(database, 0);
    await expect(
      addNumber({ database, accountId, actor: CLI }, { network: 'sandbox', ...wrong }),
    ).rejects.toMatchObject({ code: 'invalid_parameters' });
    expect(await listNumbers({ database, accountId })).toEqual([]);
  });

  test('without an account is refused', async () => {
    await expect(
      addNumber({ database, accountId: 'acc_none', actor: CLI }, { network: 'sandbox' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an owner’s setting', () => {
  test('is stored, shown, and in the audit log once for each change', async () => {
    const { accountId } = await makeAccount(database);
    const numberId = await makeNumber(database, { accountId });
    const change = { accountId, numberId, actor: CLI };
    expect(
      await setSendInterval({ database, ...change }, { ...change, sendIntervalSeconds: 600 }),
    ).toMatchObject({
      sendIntervalSeconds: 600,
    });
    await setSendInterval({ database, ...change }, { ...change, sendIntervalSeconds: 600 });
    expect(await setLabel({ database, ...change }, { ...change, label: 'Desk' })).toMatchObject({
      label: 'Desk',
    });
    expect(await holdNumber({ database, ...change }, change)).toMatchObject({ held: true });
    await holdNumber({ database, ...change }, change);
    expect(await releaseNumber({ database, ...change }, change)).toMatchObject({ held: false });
    const { rows } = await listAudit({ database }, { accountId, limit: 4 });
    expect(rows.map((row) => [row.action, row.target, row.detail])).toEqual([
      ['number.release', numberId, { waiting: 0 }],
      ['number.hold', numberId, { waiting: 0 }],
      ['number.label', numberId, {}],
      ['number.interval', numberId, { from: 8, to: 600 }],
    ]);
  });

  test('stays within bounds', async () => {
    const { accountId } = await makeAccount(database);
    const change = { accountId, numberId: await makeNumber(database, { accountId }), actor: CLI };
    for (const sendIntervalSeconds of [4, 601, Number.NaN])
      await expect(
        setSendInterval({ database, ...change }, { ...change, sendIntervalSeconds }),
      ).rejects.toMatchObject({
        code: 'invalid_parameters',
      });
    await expect(
      setLabel({ database, ...change }, { ...change, label: 'x'.repeat(101) }),
    ).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
    expect(await getNumber({ database, ...change }, change)).toMatchObject({
      sendIntervalSeconds: 8,
      label: '',
    });
  });
});

describe('the state shown', () => {
  test('is the worker’s last one, while its lease was renewed recently', async () => {
    const { accountId } = await makeAccount(database);
    const numberId = await makeNumber(database, { accountId });
    await linkAsWorker(database, { numberId, phone: '491701234567' });
    await queueMessage(database, { accountId, numberId });
    const ref = { accountId, numberId };
    expect(await getNumber({ database, ...ref }, ref)).toMatchObject({
      status: 'CONNECTED',
      phoneNumber: '491701234567',
      waiting: 1,
      withinPlan: true,
    });
    await database.sql`update leases set renewed_at = now() - interval '13 seconds' where number_id = ${numberId}`;
    expect(await getNumber({ database, ...ref }, ref)).toMatchObject({ status: 'RECONNECTING' });
    await database.sql`update numbers set moving_until = now() + interval '10 seconds' where id = ${numberId}`;
    expect(await getNumber({ database, ...ref }, ref)).toMatchObject({ status: 'CONNECTED' });
    await database.sql`update numbers set suspended_at = now() where id = ${numberId}`;
    expect((await listNumbers({ database, accountId })).map((number) => number.status)).toEqual([
      'SUSPENDED',
    ]);
  });
});

test('a change of phone number says what to scan, and its messages say whose phone number was changed', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Larkspur' });
  await linkAsWorker(database, { numberId });
  const waiting = await queueMessage(database, { accountId, numberId });
  const number = await replacePhone(
    { database, accountId, actor: CLI },
    { numberId, phone: '4915228817386' },
  );
  expect(number.cause).toEqual({ code: 'phone_changes', phone: '4915228817386' });
  expect(await messageState(database, waiting)).toMatchObject({
    status: 'cancelled',
    error:
      'This message was not sent, because you changed the phone number of Larkspur. Send it again from the new phone number if it still matters.',
  });
});

test('a change of phone number that is taken back no longer asks for the other phone', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const holding = await linkAsWorker(database, { numberId, phone: '4915228810007' });
  const context = { database, accountId, actor: CLI };
  await replacePhone(context, { numberId, phone: '4915228817386' });
  const kept = { replacementPhone: null, cause: { code: 'phone_kept', phone: '4915228810007' } };
  expect(await keepPhone(context, { numberId })).toMatchObject({ status: 'UNLINKED', ...kept });

  await replacePhone(context, { numberId, phone: '4915228817386' });
  await writeStatus(database, holding, {
    status: 'LOGGED_OUT',
    cause: { code: 'phone_refused', why: 'other', stillListed: false },
  });
  expect(await keepPhone(context, { numberId })).toMatchObject({ status: 'LOGGED_OUT', ...kept });
});

test('the answer with its groups is waited for by the database’s clock', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  const scope = { database, accountId };
  await askGroups(scope, { numberId });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  const asked = await numberGroups(scope, { numberId }).finally(vi.useRealTimers);
  expect(asked).toMatchObject({ asking: true, error: null });
  await database.sql`update number_groups set asked_at = asked_at - interval '1 minute' where number_id = ${numberId}`;
  expect(await numberGroups(scope, { numberId })).toMatchObject({
    asking: false,
    error: 'There was no response. Try again.',
  });
});
