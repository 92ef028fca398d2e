import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { countAccounts, listAccounts } from '#server/accounts/list-accounts.ts';
import { raiseAlerts } from '#server/alerts/raise-alerts.ts';
import { identifyCaller } from '#server/api-keys/caller.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { addDays } from '#server/core/access.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { lockForAdmission } from '#server/messages/queries/admission.ts';
import { sweepWaiting } from '#server/messages/queries/sweeps.ts';
import { getNumber } from '#server/numbers/get-number.ts';
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
import { activatePlan } from './activate-plan.ts';
import { planOf } from './plan-of.ts';
import { findToStop } from './queries/session-stops.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const TODAY = new Date().toISOString().slice(0, 10);
const RECIPIENT = '4915228817386@c.us' as Recipient;

const database = testDatabase();
let accountId: string;
let numberId: string;
let key: string;
let holding: Holding;
afterAll(stopClientBoss);
beforeEach(async () => {
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  holding = await linkAsWorker(database, { numberId });
  ({ key } = await createApiKey({ database, accountId, actor: CLI }, { numberId }));
});

/** What is decided about the account while this process's clock is wrong by `ms`, and about a message that waits. */
async function decided(messageId: string, ms: number) {
  const realNow = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  try {
    await sweepWaiting(database);
    const caller = await identifyCaller({ database }, key);
    const admission = await database.sql.begin((sql) =>
      lockForAdmission(sql.db, {
        kind: 'text',
        ...{ accountId, numberId, keyId: null, recipient: RECIPIENT, requestHash: null },
        ...{ webId: 'web_1', leftAgeMs: null },
      }),
    );
    return {
      message: (await messageState(database, messageId))?.status,
      admits: admission?.accessEnded === false,
      plan: (await planOf({ database, accountId })).state,
      caller: caller.access,
      listed: (await listAccounts({ database }, { search: accountId })).map(({ plan }) => plan),
      ended: (await countAccounts({ database }, { search: accountId })).ended,
      clocks: [caller.now, admission?.now].map((at) => Math.abs(Number(at) - realNow) < DAY_MS),
      number: (await getNumber({ database, accountId }, { numberId })).access,
      alerts: await raiseAlerts({ database }),
      stops: (await findToStop(database, holding)).includes(numberId),
    };
  } finally {
    vi.useRealTimers();
  }
}

const PAID = {
  plan: 'active',
  listed: ['active'],
  ended: 0,
  clocks: [true, true],
  caller: 'ok',
  number: 'ok',
  stops: false,
  admits: true,
  alerts: 0,
};
const LONG_OVER = {
  plan: 'expired',
  listed: ['expired'],
  ended: 1,
  clocks: [true, true],
  caller: 'expired',
  number: 'expired',
  stops: true,
  admits: false,
};

test('a process whose clock is a year ahead ends no plan, cancels nothing, stops no session and reports nothing', async () => {
  const messageId = await queueMessage(database, { accountId, numberId });
  expect(await decided(messageId, YEAR_MS)).toEqual({ ...PAID, message: 'queued' });
});

test('a process whose clock is a year behind ends a plan in time', async () => {
  const messageId = await queueMessage(database, { accountId, numberId });
  await database.sql`update subscriptions set paid_until = ${addDays(TODAY, -30)} where account_id = ${accountId}`;
  expect(await decided(messageId, -YEAR_MS)).toMatchObject({ ...LONG_OVER, message: 'cancelled' });
});

test('a plan works on the last of its days of grace, and a day later no longer', async () => {
  const state = async (daysAgo: number) => {
    const paidUntil = addDays(TODAY, -daysAgo);
    await activatePlan({ database, accountId, actor: CLI }, { numbersIncluded: 3, paidUntil });
    return decided(await queueMessage(database, { accountId, numberId }), 0);
  };
  expect(await state(3)).toMatchObject({ plan: 'grace', admits: true, message: 'queued' });
  expect(await state(4)).toMatchObject({ plan: 'expired', admits: false, message: 'cancelled' });
});
