import { afterAll, describe, expect, test } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import {
  type AccountShow,
  countAccounts,
  listAccounts,
  pageOfAccounts,
} from '#server/accounts/list-accounts.ts';
import { suspendAccount } from '#server/accounts/suspend-account.ts';
import { addDays, dateIn } from '#server/core/access.ts';
import { newId } from '#server/core/id.ts';
import { personOf } from '#server/core/recipient.ts';
import { type AdmissionRequest, admitMessage, checkAdmission } from '#server/messages/admission.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import type { SenderContext } from '#server/platform/db/context.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { settings } from '#server/settings.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  freshEmail,
  IN_A_MONTH,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  queueMessage,
} from '#server/testing/domain.ts';
import { activatePlan, deactivatePlan } from './activate-plan.ts';
import { keepNumbers } from './keep-numbers.ts';
import { listPayments } from './list-payments.ts';
import { planOf } from './plan-of.ts';
import { renewAccounts } from './renew-accounts.ts';

const database = testDatabase();
afterAll(stopClientBoss);

const REQUEST: AdmissionRequest = {
  ...{ recipient: personOf('4915228817386'), content: { type: 'text', body: 'Good morning' } },
  ...{ mode: { kind: 'async', expiresInSeconds: 60 }, arrivedAtMs: performance.now() },
  ...{ idempotencyKey: null, requestId: null, requestHash: null, reference: null },
};

const dryRun = (context: SenderContext, _: string, request: AdmissionRequest) =>
  checkAdmission(context, request);

/** Noon of a day in any inhabited time zone near UTC; far from it the days differ, so hours are added. */
const noon = (date: string) => new Date(`${date}T12:00:00Z`);

describe('a plan', () => {
  test('is missing at first, and active from the moment it is enabled', async () => {
    const { accountId } = await makeAccount(database, 0);
    expect(await planOf({ database, accountId })).toEqual({
      account: accountId,
      state: 'none',
      suspended: false,
      numbersIncluded: 0,
      numbersUsed: 0,
      paidUntil: null,
      endsSoon: false,
      price: 25,
      trial: { messagesLeft: 20 },
    });
    const view = await activatePlan(
      { database, accountId, actor: CLI },
      { numbersIncluded: 2, paidUntil: IN_A_MONTH, amountCents: 2500, note: ' invoice 7 ' },
    );
    expect(view).toEqual({
      account: accountId,
      state: 'active',
      suspended: false,
      numbersIncluded: 2,
      numbersUsed: 0,
      paidUntil: IN_A_MONTH,
      endsSoon: false,
      price: 25,
      trial: null,
    });
    const payments =
      await database.sql`select amount_cents, note from payments where account_id = ${accountId}`;
    expect([...payments]).toEqual([{ amount_cents: 2500, note: 'invoice 7' }]);
    // A change of only the count keeps the note.
    await activatePlan({ database, accountId, actor: CLI }, { numbersIncluded: 2, paidUntil: IN_A_MONTH });
    const [stands] = await database.sql`select note from subscriptions where account_id = ${accountId}`;
    expect(stands).toEqual({ note: 'invoice 7' });
    const { rows } = await listAudit({ database }, { accountId, limit: 2 });
    expect(rows[1]).toMatchObject({
      action: 'plan.activate',
      actor: 'cli',
      detail: { numbersIncluded: 2, paidUntil: IN_A_MONTH, amountCents: 2500, cancelled: 0 },
    });
  });

  test('works until the end of its last day and three days of grace, then expires', async () => {
    const { accountId } = await makeAccount(database);
    const stateOn = async (date: string) =>
      (await planOf({ database, accountId }, { now: noon(date) })).state;
    expect(await stateOn(IN_A_MONTH)).toBe('active');
    expect(await stateOn(addDays(IN_A_MONTH, 2))).toBe('grace');
    expect(await stateOn(addDays(IN_A_MONTH, 5))).toBe('expired');
  });

  test('ended by the administrator stops at once, cancels waiting messages, and can be enabled again', async () => {
    const { accountId } = await makeAccount(database);
    const numberId = await makeNumber(database, { accountId });
    const messageId = await queueMessage(database, { accountId, numberId });
    expect(await deactivatePlan({ database, accountId, actor: CLI })).toMatchObject({ state: 'ended' });
    expect(await messageState(database, messageId)).toEqual({
      status: 'cancelled',
      errorCode: 'plan_ended',
      error: expect.stringContaining('Not sent, because the plan had ended. It is not sent automatically.'),
      events: ['accepted', 'cancelled'],
    });
    const before = await listAudit({ database }, { accountId, limit: 50 });
    await deactivatePlan({ database, accountId, actor: CLI });
    expect((await listAudit({ database }, { accountId, limit: 50 })).rows).toHaveLength(before.rows.length);
    const again = { accountId, numbersIncluded: 1, paidUntil: IN_A_MONTH, actor: CLI };
    expect(await activatePlan({ database, ...again }, again)).toMatchObject({
      state: 'active',
      numbersIncluded: 1,
    });
  });

  test('that shrinks keeps the longest-linked numbers, unless others were chosen, and cancels the messages of the rest', async () => {
    const { accountId } = await makeAccount(database, 3);
    const [first, second, third] = [
      await makeNumber(database, { accountId }),
      await makeNumber(database, { accountId }),
      await makeNumber(database, { accountId }),
    ];
    for (const [n, numberId] of [second, third, first].entries())
      await linkAsWorker(database, { numberId, phone: `4917000000${n}` });
    const stays = await queueMessage(database, { accountId, numberId: second });
    const goes = await queueMessage(database, { accountId, numberId: third });
    await database.sql`update numbers set kept = true where id = ${first}`;
    const plan = await activatePlan(
      { database, accountId, actor: CLI },
      { numbersIncluded: 2, paidUntil: IN_A_MONTH },
    );
    expect(plan).toMatchObject({ numbersIncluded: 2, numbersUsed: 3 });
    const within = async (numberId: string) =>
      (await getNumber({ database, accountId }, { numberId })).withinPlan;
    expect([await within(first), await within(second), await within(third)]).toEqual([true, true, false]);
    expect(await messageState(database, stays)).toMatchObject({ status: 'queued' });
    expect(await messageState(database, goes)).toMatchObject({
      status: 'cancelled',
      errorCode: 'plan_ended',
      error: expect.stringContaining('the plan no longer includes this number'),
    });
  });

  test('lets an owner choose which numbers stay, up to its limit, and change the choice', async () => {
    const { accountId } = await makeAccount(database, 3);
    const ids: string[] = [];
    for (const n of [0, 1, 2]) {
      const numberId = await makeNumber(database, { accountId });
      await linkAsWorker(database, { numberId, phone: `4917100000${n}` });
      ids.push(numberId);
    }
    const [first = '', second = '', third = ''] = ids;
    const keep = (...numberIds: string[]) => keepNumbers({ database, accountId, actor: CLI }, { numberIds });
    const within = async () => {
      const views = await Promise.all(
        ids.map((numberId) => getNumber({ database, accountId }, { numberId })),
      );
      return views.map(({ withinPlan }) => withinPlan);
    };
    await activatePlan({ database, accountId, actor: CLI }, { numbersIncluded: 1, paidUntil: IN_A_MONTH });
    expect(await within()).toEqual([true, false, false]);
    const goes = await queueMessage(database, { accountId, numberId: first });
    expect(await keep(third, third)).toEqual({ cancelled: 1 });
    expect(await within()).toEqual([false, false, true]);
    expect(await messageState(database, goes)).toMatchObject({
      status: 'cancelled',
      errorCode: 'plan_ended',
      error: expect.stringContaining('the plan no longer includes this number'),
    });
    // As for a request whose key was checked before the choice.
    for (const admit of [admitMessage, dryRun])
      await expect(
        admit({ database, accountId, numberId: first, keyId: null }, newId('message'), REQUEST),
      ).rejects.toMatchObject({
        code: 'plan_inactive',
        message: expect.stringContaining('The plan does not include this number.'),
      });
    await admitMessage({ database, accountId, numberId: third, keyId: null }, newId('message'), REQUEST);
    const { rows } = await listAudit({ database }, { accountId, limit: 1 });
    expect(rows[0]).toMatchObject({ action: 'plan.keep_numbers', detail: { numbers: 1, cancelled: 1 } });

    await expect(keep(second, third)).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: 'The plan includes 1 number. Select at most that many.',
    });
    const stranger = await makeNumber(database, await makeAccount(database));
    await expect(keep(stranger)).rejects.toMatchObject({ code: 'not_found' });
    expect(await within()).toEqual([false, false, true]);
    await keep(second);
    expect(await within()).toEqual([false, true, false]);
    await keep();
    expect(await within()).toEqual([true, false, false]);
  });

  test.each([
    { numbersIncluded: 0 },
    { numbersIncluded: 1.5 },
    { paidUntil: '2027-02-30' },
    { paidUntil: 'tomorrow' },
    { amountCents: -1 },
    { amountCents: 1_000_000_000 },
  ])('is refused with $numbersIncluded numbers until $paidUntil for $amountCents cents', async (wrong) => {
    const { accountId } = await makeAccount(database, 0);
    const terms = { accountId, numbersIncluded: 1, paidUntil: IN_A_MONTH, actor: CLI, ...wrong };
    await expect(activatePlan({ database, ...terms }, terms)).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
    expect(await planOf({ database, accountId })).toMatchObject({ state: 'none' });
  });

  test('cannot be set for a missing account', async () => {
    const nobody = { accountId: 'acc_none', actor: CLI };
    await expect(planOf({ database, ...nobody })).rejects.toMatchObject({ code: 'not_found' });
    await expect(deactivatePlan({ database, ...nobody })).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      activatePlan({ database, ...nobody }, { numbersIncluded: 1, paidUntil: IN_A_MONTH }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the administrator’s list', () => {
  test('shows each account’s owner, plan and numbers, and finds it by name, address or id', async () => {
    const { accountId, email } = await makeAccount(database, 2);
    await linkAsWorker(database, {
      numberId: await makeNumber(database, { accountId }),
      phone: '491700000099',
    });
    const waiting = { accountId, numberId: await makeNumber(database, { accountId }) };
    await queueMessage(database, waiting);
    await database.sql`update messages set status = 'cancelled' where id = ${await queueMessage(database, waiting)}`;
    const row = {
      accountId,
      name: email,
      email,
      suspended: false,
      plan: 'active',
      numbersIncluded: 2,
      numbersUsed: 1,
      numbers: 2,
      connected: 1,
      stopped: 0,
      messages30Days: 1,
      paidUntil: IN_A_MONTH,
      note: null,
      createdAt: expect.any(Date),
      unconfirmed: false,
    };
    for (const search of [email.toUpperCase(), email.slice(0, 14), accountId])
      expect(await listAccounts({ database }, { search })).toEqual([row]);
    expect((await listAccounts({ database }))[0]).toEqual(row);
    expect(await listAccounts({ database }, { search: '%' })).toEqual([]);
  });

  test('has pages, so that each account of an installation with many is found', async () => {
    const mark = `Page ${freshEmail()}`;
    await database.sql`
      insert into accounts (id, name) select 'acc_page' || lpad(n::text, 4, '0'), ${mark} from generate_series(1, 150) n`;
    const first = await pageOfAccounts({ database }, { search: mark, before: null });
    expect(first.rows).toHaveLength(100);
    const second = await pageOfAccounts({ database }, { search: mark, before: first.next });
    expect(second.next).toBeNull();
    const ids = [...first.rows, ...second.rows].map(({ accountId }) => accountId);
    expect(ids).toEqual(Array.from({ length: 150 }, (_, n) => `acc_page${String(150 - n).padStart(4, '0')}`));
  });

  test('counts a connected number as stopped after the plan has ended, or while the account is suspended', async () => {
    const { accountId } = await makeAccount(database, 1);
    await linkAsWorker(database, {
      numberId: await makeNumber(database, { accountId }),
      phone: '491700000098',
    });
    const counts = async () => {
      const [account] = await listAccounts({ database }, { search: accountId });
      return account && [account.connected, account.stopped];
    };
    expect(await counts()).toEqual([1, 0]);
    await database.sql`update accounts set suspended_at = clock_timestamp() where id = ${accountId}`;
    expect(await counts()).toEqual([0, 1]);
    await database.sql`update accounts set suspended_at = null where id = ${accountId}`;
    await database.sql`update subscriptions set paid_until = current_date - 60 where account_id = ${accountId}`;
    expect(await counts()).toEqual([0, 1]);
  });

  test('finds and counts accounts whose plan ends soon, has ended or was never enabled, and suspended ones', async () => {
    const today = dateIn(settings.timeZone, new Date());
    const mark = `Fleet ${freshEmail()}`;
    const make = async (name: string, paidUntil: string | null) => {
      const { accountId } = await makeAccount(database, 0);
      await database.sql`update accounts set name = ${`${mark} ${name}`} where id = ${accountId}`;
      if (paidUntil)
        await activatePlan({ database, accountId, actor: CLI }, { numbersIncluded: 1, paidUntil });
      return accountId;
    };
    await make('far', addDays(today, 15));
    await make('near', addDays(today, 14));
    await make('grace', addDays(today, -settings.graceDays));
    await make('expired', addDays(today, -settings.graceDays - 1));
    await deactivatePlan({ database, accountId: await make('by hand', addDays(today, 5)), actor: CLI });
    await make('new', null);
    await suspendAccount(
      { database, accountId: await make('paused', null), actor: CLI },
      { suspended: true },
    );
    const shown = async (show: AccountShow) =>
      (await listAccounts({ database }, { search: mark, show })).map(({ name }) =>
        name.slice(mark.length + 1),
      );
    expect(await shown('ending')).toEqual(['grace', 'near']);
    expect(await shown('ended')).toEqual(['by hand', 'expired']);
    expect(await shown('none')).toEqual(['paused', 'new']);
    expect(await shown('suspended')).toEqual(['paused']);
    expect(await countAccounts({ database }, { search: mark })).toEqual({
      all: 7,
      ending: 2,
      ended: 2,
      none: 2,
      suspended: 1,
      unconfirmed: 0,
    });
  });

  test('is not changed by a page that shows an earlier one', async () => {
    const { accountId } = await makeAccount(database, 2);
    const account = { database, accountId, actor: CLI };
    const seen = { numbersIncluded: 2, paidUntil: IN_A_MONTH };
    const terms = { numbersIncluded: 2, paidUntil: '2099-01-31', amountCents: 5000, seen };
    const paid = async () => (await listPayments(account)).length;
    const before = await paid();
    const both = await Promise.allSettled([activatePlan(account, terms), activatePlan(account, terms)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await paid()).toBe(before + 1);
    const now = 'it now includes 2 numbers and is paid until 2099-01-31';
    await expect(activatePlan(account, terms)).rejects.toThrow(now);
    await expect(deactivatePlan(account, { seen })).rejects.toThrow(now);
    const renewal = { accountId, paidUntil: IN_A_MONTH, amountCents: 1, reference: '', seen };
    const renewals = { renewals: [renewal], paidOn: null, note: '' };
    await expect(renewAccounts({ database, actor: CLI }, renewals)).rejects.toThrow(now);
    expect(await planOf(account)).toMatchObject({ state: 'active', paidUntil: '2099-01-31' });
    await deactivatePlan(account);
    const active = { ...seen, paidUntil: '2099-01-31' };
    await expect(activatePlan(account, { ...terms, seen: active })).rejects.toThrow('it has been ended');
    const ended = { numbersIncluded: 0, paidUntil: null };
    expect(await activatePlan(account, { ...terms, seen: ended })).toMatchObject({ state: 'active' });
  });

  test('renews several at once with a payment for each, or none of them', async () => {
    const [one, two, three] = [
      await makeAccount(database, 2),
      await makeAccount(database, 1),
      await makeAccount(database, 0),
    ];
    const renewal = (account: { accountId: string }, amountCents: number, reference: string) => ({
      ...{ accountId: account.accountId, paidUntil: '2099-12-31', amountCents, reference },
    });
    const given = { paidOn: '2026-11-20', note: 'By transfer', actor: CLI };
    const renewals = [renewal(two, 2500, 'B-2'), renewal(one, 5000, 'A-1')];
    await expect(
      renewAccounts(
        { database, ...given },
        { ...given, renewals: [...renewals, renewal(three, 2500, 'C-3')] },
      ),
    ).rejects.toThrow(`${three.email} has no plan yet`);
    await expect(
      renewAccounts({ database, ...given }, { ...given, renewals: [...renewals, renewal(one, 1, '')] }),
    ).rejects.toThrow('selected twice');
    await expect(
      renewAccounts(
        { database, ...given },
        { ...given, renewals: [renewal(one, 2500, ''), renewal(two, -1, '')] },
      ),
    ).rejects.toThrow(`${two.email}: The amount must be whole cents.`);
    for (const paidUntil of [IN_A_MONTH, '2020-12-31'])
      await expect(
        renewAccounts(
          { database, ...given },
          { ...given, renewals: [renewal(one, 2500, ''), { ...renewal(two, 2500, ''), paidUntil }] },
        ),
      ).rejects.toThrow(`${two.email}: ${paidUntil} does not extend the plan.`);
    expect(await planOf({ database, ...one })).toMatchObject({ paidUntil: IN_A_MONTH });
    expect(await listPayments({ database, ...two })).toHaveLength(1);

    expect(await renewAccounts({ database, ...given }, { ...given, renewals })).toEqual({ renewed: 2 });
    expect(await planOf({ database, ...one })).toMatchObject({ numbersIncluded: 2, paidUntil: '2099-12-31' });
    expect((await listPayments({ database, ...two }))[0]).toMatchObject({
      amountCents: 2500,
      numbersIncluded: 1,
      paidUntil: '2099-12-31',
      paidOn: '2026-11-20',
      reference: 'B-2',
      note: 'By transfer',
    });
  });
});
