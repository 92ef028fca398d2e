import { afterAll, describe, expect, test } from 'vitest';
import { acceptRisk, hasAcceptedRisk } from '#server/accounts/account-settings.ts';
import { listAudit } from '#server/accounts/audit.ts';
import { LINKING_MS, type Network } from '#server/core/number-state.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { planOf } from '#server/plans/plan-of.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  IN_A_MONTH,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  queueMessage,
  settleAsWorker,
} from '#server/testing/domain.ts';
import { getNumber, listNumbers, numberHistory } from './get-number.ts';
import { cancelLinking, linkingView, openLinking } from './link-number.ts';
import { writeLink, writeStatus } from './queries/sessions.ts';
import { removeNumber, unlinkNumber } from './unlink-number.ts';

const database = testDatabase();
afterAll(stopClientBoss);

async function intentOf(numberId: string) {
  const [row] = await database.sql<{ intent: string; revision: number; pairingPhone: string | null }[]>`
    select intent, intent_revision as revision, pairing_phone as "pairingPhone" from numbers where id = ${numberId}`;
  return row;
}

/** An account with one number, not linked yet. */
async function withNumber(numbersIncluded = 3, network: Network = 'sandbox') {
  const { accountId } = await makeAccount(database, numbersIncluded);
  const numberId = await makeNumber(database, { accountId, network });
  return { accountId, numberId, actor: CLI };
}

describe('opening linking', () => {
  test('asks a worker for a QR for five minutes, each time it is opened', async () => {
    const number = await withNumber();
    await openLinking({ database, ...number }, number);
    expect(await intentOf(number.numberId)).toEqual({ intent: 'link', revision: 1, pairingPhone: null });
    const view = await linkingView({ database, ...number }, number);
    expect(view).toMatchObject({ open: true, status: 'UNLINKED', qr: null, pairingCode: null });
    const leftMs = (view.linkUntil?.getTime() ?? 0) - Date.now();
    expect(leftMs).toBeGreaterThan(LINKING_MS - 30_000);
    expect(leftMs).toBeLessThan(LINKING_MS + 30_000);
    await openLinking({ database, ...number }, { ...number, pairingPhone: '4915228817386' });
    expect(await intentOf(number.numberId)).toEqual({
      intent: 'link',
      revision: 2,
      pairingPhone: '4915228817386',
    });
    const { rows } = await listAudit({ database }, { accountId: number.accountId, limit: 2 });
    expect(rows.map((row) => [row.action, row.detail])).toEqual([
      ['number.link', { by: 'code' }],
      ['number.link', { by: 'qr' }],
    ]);
  });

  test('shows the worker’s QR while it is valid, stored encrypted, and never one of an earlier linking', async () => {
    const number = await withNumber();
    const holding = await linkAsWorker(database, number);
    await writeStatus(database, holding, {
      status: 'LOGGED_OUT',
      cause: { code: 'logged_out', reason: null },
    });
    await database.sql`update numbers set intent = 'idle' where id = ${number.numberId}`;
    await openLinking({ database, ...number }, number);
    await writeLink(database, holding, { qr: '2@abc', qrExpiresAtMs: Date.now() + 60_000 });
    expect(await linkingView({ database, ...number }, number)).toMatchObject({
      qr: '2@abc',
      qrExpiresAt: expect.any(Date),
    });
    await writeLink(database, holding, { pairingCode: 'ABCD1234' });
    const [row] =
      await database.sql`select number_links::text as stored from number_links where number_id = ${number.numberId}`;
    expect(row?.stored).not.toMatch(/2@abc|ABCD1234/);
    expect(await linkingView({ database, ...number }, number)).toMatchObject({
      qr: '2@abc',
      pairingCode: 'ABCD1234',
    });
    await writeLink(database, holding, { qr: '2@old', qrExpiresAtMs: Date.now() - 60_000 });
    expect(await linkingView({ database, ...number }, number)).toMatchObject({ qr: null, qrExpiresAt: null });
    await writeLink(database, holding, { qr: '2@def', qrExpiresAtMs: Date.now() + 60_000 });
    await openLinking({ database, ...number }, number);
    expect(await linkingView({ database, ...number }, number)).toMatchObject({ qr: null });
  });

  test('is refused without a working plan, with what to do', async () => {
    const number = await withNumber(0, 'whatsapp');
    const refused = (sentence: string) =>
      expect(openLinking({ database, ...number }, number)).rejects.toMatchObject({
        code: 'plan_inactive',
        message: expect.stringContaining(sentence),
      });
    await refused(
      'Linking a real phone needs a plan (25 euros a month for each number). See “Plan and usage”',
    );
    await activatePlan({ database, ...number }, { numbersIncluded: 1, paidUntil: '2024-01-31' });
    await refused('The plan of this account has ended. Linking a real phone needs a plan');
    await activatePlan({ database, ...number }, { numbersIncluded: 1, paidUntil: IN_A_MONTH });
    await deactivatePlan({ database, ...number });
    await refused('The plan of this account has ended. Linking a real phone needs a plan');
    await activatePlan({ database, ...number }, { numbersIncluded: 1, paidUntil: IN_A_MONTH });
    await database.sql`update accounts set suspended_at = now() where id = ${number.accountId}`;
    await refused('This account is suspended.');
    expect(await intentOf(number.numberId)).toMatchObject({ intent: 'idle', revision: 0 });
  });

  test('is refused with a reason when the plan is full, counting numbers that are being linked', async () => {
    const first = await withNumber(1);
    const second = { ...first, numberId: await makeNumber(database, first) };
    const full = {
      code: 'plan_inactive',
      message:
        'The plan includes 1 number, and it is in use. To link another number, remove one or extend the plan.',
    };
    const tries = await Promise.allSettled([
      openLinking({ database, ...first }, first),
      openLinking({ database, ...second }, second),
    ]);
    expect(tries.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const won = tries[0]?.status === 'fulfilled' ? first : second;
    const lost = won === first ? second : first;
    await expect(openLinking({ database, ...lost }, lost)).rejects.toMatchObject(full);
    await linkAsWorker(database, won);
    await expect(openLinking({ database, ...lost }, lost)).rejects.toMatchObject(full);
    await unlinkNumber({ database, ...won }, won);
    await expect(openLinking({ database, ...lost }, lost)).rejects.toMatchObject(full);
    await removeNumber({ database, ...won }, won);
    await openLinking({ database, ...lost }, lost);
  });

  test('is refused for a number beyond the plan, but not for one that the plan includes', async () => {
    const first = await withNumber(2);
    const second = { ...first, numberId: await makeNumber(database, first) };
    for (const number of [first, second]) {
      const holding = await linkAsWorker(database, {
        ...number,
        phone: `49171${number.numberId === first.numberId ? 1 : 2}000000`,
      });
      await writeStatus(database, holding, { status: 'LOGGED_OUT', cause: null });
      await settleAsWorker(database, holding);
    }
    await activatePlan({ database, ...first }, { numbersIncluded: 1, paidUntil: IN_A_MONTH });
    await openLinking({ database, ...first }, first);
    await expect(openLinking({ database, ...second }, second)).rejects.toMatchObject({
      code: 'plan_inactive',
      message: expect.stringContaining('does not include this number'),
    });
  });

  test('is refused while a phone is linked or being unlinked, and while the number is suspended', async () => {
    const number = await withNumber();
    const holding = await linkAsWorker(database, number);
    await expect(openLinking({ database, ...number }, number)).rejects.toMatchObject({
      code: 'already_exists',
    });
    await unlinkNumber({ database, ...number }, number);
    await expect(openLinking({ database, ...number }, number)).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('being unlinked'),
    });
    await settleAsWorker(database, holding);
    await database.sql`update numbers set suspended_at = now() where id = ${number.numberId}`;
    await expect(openLinking({ database, ...number }, number)).rejects.toMatchObject({ code: 'forbidden' });
    await database.sql`update numbers set suspended_at = null where id = ${number.numberId}`;
    await openLinking({ database, ...number }, number);
  });

  test('needs digits for a pairing code', async () => {
    const number = await withNumber();
    await expect(
      openLinking({ database, ...number }, { ...number, pairingPhone: '+49 1522 8817386' }),
    ).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringContaining('Send 4915228817386 instead'),
    });
  });
});

describe('cancelling linking', () => {
  test('removes the QR and frees the place in the plan', async () => {
    const number = await withNumber(1);
    const other = { ...number, numberId: await makeNumber(database, number) };
    await openLinking({ database, ...number }, number);
    await database.sql`update numbers set status = 'LINKING' where id = ${number.numberId}`;
    expect(await cancelLinking({ database, ...number }, number)).toMatchObject({ status: 'UNLINKED' });
    expect(await linkingView({ database, ...number }, number)).toMatchObject({
      open: false,
      linkUntil: null,
    });
    expect(await intentOf(number.numberId)).toMatchObject({ intent: 'idle', revision: 2 });
    await openLinking({ database, ...other }, other);
  });

  test('is too late once a phone has scanned', async () => {
    const number = await withNumber();
    await linkAsWorker(database, number);
    expect(await cancelLinking({ database, ...number }, number)).toMatchObject({ status: 'CONNECTED' });
    expect(await intentOf(number.numberId)).toMatchObject({ intent: 'run' });
  });
});

describe('unlinking', () => {
  test('cancels waiting messages at once, keeps the phone number, and leaves the logout to a worker', async () => {
    const number = await withNumber();
    await linkAsWorker(database, { ...number, phone: '491700000007' });
    const messageId = await queueMessage(database, number);
    expect(await unlinkNumber({ database, ...number }, number)).toMatchObject({
      status: 'UNLINKED',
      cause: { code: 'unlinked' },
      phoneNumber: '491700000007',
      waiting: 0,
    });
    expect(await messageState(database, messageId)).toEqual({
      status: 'cancelled',
      errorCode: 'unlinked',
      error: 'This message was not sent: its number was unlinked. Link the number, then send it again.',
      events: ['accepted', 'cancelled'],
    });
    expect(await intentOf(number.numberId)).toMatchObject({ intent: 'unlink' });
    const revision = (await intentOf(number.numberId))?.revision;
    await unlinkNumber({ database, ...number }, number);
    expect(await intentOf(number.numberId)).toMatchObject({ revision });
    expect((await numberHistory({ database, ...number }, number)).map((event) => event.status)).toEqual([
      'UNLINKED',
      'CONNECTED',
      'UNLINKED',
    ]);
  });

  test('of a number that was logged out on its phone needs no worker', async () => {
    const number = await withNumber();
    const holding = await linkAsWorker(database, number);
    await writeStatus(database, holding, { status: 'LOGGED_OUT', cause: null });
    await settleAsWorker(database, holding);
    expect(await unlinkNumber({ database, ...number }, number)).toMatchObject({ status: 'UNLINKED' });
    expect(await intentOf(number.numberId)).toMatchObject({ intent: 'idle' });
  });

  test('during linking lets a worker log out a phone that has just scanned', async () => {
    const number = await withNumber();
    await openLinking({ database, ...number }, number);
    await unlinkNumber({ database, ...number }, number);
    expect(await intentOf(number.numberId)).toMatchObject({ intent: 'unlink' });
  });
});

describe('removing a number', () => {
  test('cancels waiting messages, ends its session, frees its place, and hides it from its owner', async () => {
    const number = await withNumber(1);
    await linkAsWorker(database, number);
    const messageId = await queueMessage(database, number);
    await removeNumber({ database, ...number }, number);
    expect(await messageState(database, messageId)).toMatchObject({
      status: 'cancelled',
      errorCode: 'removed',
    });
    expect(await intentOf(number.numberId)).toMatchObject({ intent: 'unlink' });
    expect(await listNumbers({ database, ...number })).toEqual([]);
    expect(await planOf({ database, ...number })).toMatchObject({ numbersUsed: 0 });
    for (const again of [removeNumber, unlinkNumber, openLinking, cancelLinking])
      await expect(again({ database, ...number }, number)).rejects.toMatchObject({ code: 'not_found' });
    await expect(getNumber({ database, ...number }, number)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('an account confirms the risks of a real number once, and the confirmation names the user', async () => {
  const { accountId } = await makeAccount(database);
  const other = await makeAccount(database);
  expect(await hasAcceptedRisk({ database, accountId })).toBe(false);
  await acceptRisk({ database, accountId, actor: CLI });
  await acceptRisk({ database, accountId, actor: CLI });
  expect(await hasAcceptedRisk({ database, accountId })).toBe(true);
  expect(await hasAcceptedRisk({ database, ...other })).toBe(false);
  const { rows } = await listAudit({ database }, { accountId, limit: 10 });
  expect(rows.filter(({ action }) => action === 'account.accept_risk')).toHaveLength(1);
});
