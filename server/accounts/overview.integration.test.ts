import { expect, test } from 'vitest';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { dismissMessage } from '#server/messages/dismiss-message.ts';
import { countStale, foldCounts } from '#server/operations/keep-counts.ts';
import { requestPlan, withdrawPlanRequest } from '#server/plans/request-plan.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  queueMessage,
} from '#server/testing/domain.ts';
import { setTimeZone } from './account-settings.ts';
import { type ActivityRange, activity } from './activity.ts';
import { overview } from './overview.ts';

const database = testDatabase();

const look = (accountId: string) => overview({ database, accountId });
const setZone = (accountId: string, timeZone: string) =>
  setTimeZone({ database, accountId, actor: CLI }, { timeZone });

/** Gives a message an outcome as a worker would, at a time of the test's choice. */
async function settle(id: string, status: 'sent' | 'delivered' | 'failed' | 'unknown', at = 'now()') {
  await database.sql`update messages set status = 'sending' where id = ${id}`;
  await database.sql.unsafe(
    `update messages set status = $1, created_at = ${at}, sent_at = ${/sent|delivered/.test(status) ? at : 'null'} where id = $2`,
    [status, id],
  );
}

test('shows what a new account has done', async () => {
  const { accountId } = await makeAccount(database, 0);
  const none = { plan: false, planRequested: false, phone: false, key: false, sent: false };
  expect((await look(accountId)).progress).toEqual(none);
  const context = { database, accountId, actor: CLI };
  await requestPlan(context, { numbers: 1, contact: 'Anna', note: '' });
  expect((await look(accountId)).progress).toEqual({ ...none, planRequested: true });
  await withdrawPlanRequest(context);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  await createApiKey({ database, accountId, actor: CLI }, { numberId });
  await settle(await queueMessage(database, { accountId, numberId }), 'sent');
  expect((await look(accountId)).progress).toEqual({ ...none, key: true, sent: true });
  const ownId = await makeNumber(database, { accountId, network: 'whatsapp' });
  expect((await look(accountId)).progress.phone).toBe(false);
  await linkAsWorker(database, { numberId: ownId });
  expect((await look(accountId)).progress.phone).toBe(true);
});

const ago = (hours: number) => `now() - interval '${hours} hours'`;

async function refuse(of: { accountId: string; numberId: string; endpoint?: string }) {
  await database.sql.unsafe(
    `insert into requests (at, account_id, number_id, endpoint, status, error_code, request_id, duration_ms)
     values (now(), $1, $2, $3, 409, 'not_connected', 'req_chart', 3)`,
    [of.accountId, of.numberId, of.endpoint ?? 'POST /messages/text'],
  );
}

test('counts today’s outcomes for each number', async () => {
  const { accountId } = await makeAccount(database);
  const other = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  let count = 0;
  const message = () =>
    queueMessage(database, { accountId, numberId, content: { type: 'text', body: `Order ${++count}` } });
  await settle(await message(), 'sent');
  await settle(await message(), 'delivered');
  await settle(await message(), 'failed');
  await settle(await message(), 'unknown');
  await database.sql`update messages set status = 'expired' where id = ${await message()}`;
  await settle(await message(), 'sent', ago(72));
  await settle(
    await queueMessage(database, { ...other, numberId: await makeNumber(database, other) }),
    'sent',
  );
  const { numbers, troubles } = await look(accountId);
  expect(numbers).toEqual([
    { numberId, sent: 2, delivered: 1, failed: 1, unknown: 1, expired: 1, cancelled: 0 },
  ]);
  expect(troubles.map(({ status }) => status)).toEqual(['unknown', 'failed', 'expired']);
});

test('the chart counts hours and days, of one number or of all, with expired and cancelled messages and refused requests to send', async () => {
  const { accountId } = await makeAccount(database);
  const other = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const second = await makeNumber(database, { accountId });
  const message = (of = numberId) => queueMessage(database, { accountId, numberId: of });
  await settle(await message(), 'sent');
  await settle(await message(second), 'delivered');
  await settle(await message(), 'failed', ago(3));
  await settle(await message(), 'unknown', ago(3));
  await settle(await message(), 'sent', ago(72));
  await database.sql`update messages set status = 'expired' where id = ${await message()}`;
  await database.sql`update messages set status = 'cancelled' where id = ${await message(second)}`;
  await refuse({ accountId, numberId });
  await refuse({ accountId, numberId: second });
  await refuse({ accountId, numberId, endpoint: 'GET /status' });
  await refuse({ ...other, numberId: await makeNumber(database, other) });
  const chart = async (range: ActivityRange, of?: string) =>
    (await activity({ database, accountId }, { range, numberId: of })).rows;
  const hours = await chart('24h');
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toMatchObject({ sent: 2, failed: 0, unknown: 0, notSent: 2, refused: 2 });
  expect(hours.at(-4)).toMatchObject({ sent: 0, failed: 1, unknown: 1, notSent: 0, refused: 0 });
  expect((await chart('24h', second)).at(-1)).toMatchObject({ sent: 1, notSent: 1, refused: 1 });
  for (const [range, days] of [
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
  ] as const) {
    const rows = await chart(range);
    expect(rows).toHaveLength(days);
    expect(rows.reduce((sum, row) => sum + row.sent, 0)).toBe(3);
    expect(rows.at(-4)?.sent).toBe(1);
  }
  await expect(activity({ database, ...other }, { range: '24h', numberId })).rejects.toMatchObject({
    code: 'not_found',
  });
  // Once a real number is linked, the chart of all numbers leaves out the sandbox.
  const real = await makeNumber(database, { accountId, network: 'whatsapp' });
  await linkAsWorker(database, { numberId: real });
  expect((await chart('7d')).reduce((sum, row) => sum + row.sent, 0)).toBe(0);
  expect((await chart('7d', second)).at(-1)?.sent).toBe(1);
});

test('a waiting message that was not sent needs attention, unless a person or the caller cancelled it', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const end = async (status: string, errorCode: string) => {
    const id = await queueMessage(database, { accountId, numberId });
    await database.sql`
      update messages set status = ${status}, error_code = ${errorCode}, settled_at = clock_timestamp() where id = ${id}`;
    return id;
  };
  const byPlan = await end('cancelled', 'plan_ended');
  const late = await end('expired', 'deadline_passed');
  await end('cancelled', 'cancelled_by_person');
  await end('cancelled', 'cancelled_by_caller');
  const { troubles } = await look(accountId);
  expect(troubles.map(({ id }) => id)).toEqual([late, byPlan]);
});

test('a message that was sent again, or was dismissed, no longer needs attention', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const text = (body: string, recipient?: string) =>
    queueMessage(database, {
      ...{ accountId, numberId, content: { type: 'text' as const, body } },
      ...(recipient === undefined ? {} : { recipient }),
    });
  const failing = async (...of: Parameters<typeof text>) => {
    const id = await text(...of);
    await settle(id, 'failed');
    return id;
  };
  const refer = (id: string, reference: string) =>
    database.sql`update messages set reference = ${reference} where id = ${id}`;
  const listed = async () => (await look(accountId)).troubles.map(({ id }) => id);

  const first = await failing('Ready');
  const other = await failing('Other text');
  const elsewhere = await failing('Ready', '4915228817387@c.us');
  const ordered = await failing('Ready for order');
  await refer(ordered, 'order-1');
  expect(await listed()).toEqual([ordered, elsewhere, other, first]);

  expect((await look(accountId)).sentAgain).toEqual({ failed: 0, unknown: 0, expired: 0, cancelled: 0 });

  const again = await text('Ready');
  expect((await look(accountId)).sentAgain).toMatchObject({ failed: 1 });
  expect(await listed()).toEqual([ordered, elsewhere, other]);
  // Sent again, and failed again: the new one is what needs attention.
  await settle(again, 'failed');
  expect(await listed()).toEqual([again, ordered, elsewhere, other]);
  // The same text about another order is another message.
  await refer(await text('Ready for order'), 'order-2');
  expect(await listed()).toContain(ordered);
  const retried = await text('Ready for order');
  await refer(retried, 'order-1');
  expect(await listed()).not.toContain(ordered);
  // A retry that was not sent either changes nothing.
  await database.sql`update messages set status = 'cancelled', error_code = 'cancelled_by_person' where id = ${retried}`;
  expect(await listed()).toContain(ordered);

  await dismissMessage({ database, accountId }, { messageId: again });
  expect(await listed()).toEqual([ordered, elsewhere, other]);
  expect(await messageState(database, again)).toMatchObject({ status: 'failed' });
  const stranger = await makeAccount(database);
  await expect(dismissMessage({ database, ...stranger }, { messageId: other })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await listed()).toContain(other);
});

test('each message that needs attention shows its scheduled time and reference, and its text while it is stored', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const [kept, erased] = [
    await queueMessage(database, { accountId, numberId }),
    await queueMessage(database, { accountId, numberId }),
  ];
  for (const id of [kept, erased]) await settle(id, 'unknown');
  await database.sql`update messages set content = null where id = ${erased}`;
  await database.sql`
    update messages set reference = 'order-1042', send_at = '2026-11-26 09:00+00' where id = ${kept}`;
  expect((await look(accountId)).troubles).toMatchObject([
    { id: erased, preview: null, sendAt: null },
    { id: kept, preview: 'Good morning', reference: 'order-1042', sendAt: new Date('2026-11-26T09:00:00Z') },
  ]);
});

test('a day begins at midnight in the account’s time zone, and changes of it reach the figures', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const days = async () => (await activity({ database, accountId }, { range: '7d' })).rows;
  await settle(
    await queueMessage(database, { accountId, numberId }),
    'sent',
    `date_trunc('day', now(), 'Pacific/Kiritimati') - interval '1 second'`,
  );
  // Noon in one of two zones that are 25 hours apart is always another day in the other.
  for (const zone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
    await setZone(accountId, zone);
    await countStale({ database });
    const [row] = await database.sql<{ today: string }[]>`
      select to_char(clock_timestamp() at time zone ${zone}, 'YYYY-MM-DD') as today`;
    expect((await days()).at(-1)?.at).toBe(`${row?.today}T00:00`);
    await foldCounts({ database });
  }
  expect((await look(accountId)).numbers[0]?.sent ?? 0).toBe(0);
  expect((await days()).at(-2)?.sent).toBe(1);
});
