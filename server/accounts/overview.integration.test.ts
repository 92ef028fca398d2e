import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { overview } from './overview.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const look = (accountId: string, timeZone = 'UTC') => overview({ database, accountId }, { timeZone });

/** Gives a message an outcome as a worker would, at a time of the test's choice. */
async function settle(id: string, status: 'sent' | 'delivered' | 'failed' | 'unknown', at = 'now()') {
  await database.sql`update messages set status = 'sending' where id = ${id}`;
  await database.sql.unsafe(
    `update messages set status = $1, created_at = ${at}, sent_at = ${/sent|delivered/.test(status) ? at : 'null'} where id = $2`,
    [status, id],
  );
}

test('shows the completed setup steps up to the first message', async () => {
  const { accountId } = await makeAccount(database, 0);
  const none = { plan: false, added: false, linked: false, key: false, sent: false };
  expect((await look(accountId)).progress).toEqual(none);
  const numberId = await makeNumber(database, { accountId });
  expect((await look(accountId)).progress).toEqual({ ...none, added: true });
  await linkAsWorker(database, { numberId });
  await createApiKey({ database, accountId, actor: CLI }, { numberId });
  await settle(await queueMessage(database, { accountId, numberId }), 'sent');
  expect((await look(accountId)).progress).toEqual({
    plan: false,
    added: true,
    linked: true,
    key: true,
    sent: true,
  });
});

test('counts today’s outcomes for each number and for the last hours', async () => {
  const { accountId } = await makeAccount(database);
  const other = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const message = () => queueMessage(database, { accountId, numberId });
  await settle(await message(), 'sent');
  await settle(await message(), 'delivered');
  await settle(await message(), 'failed');
  await settle(await message(), 'unknown');
  await settle(await message(), 'sent', `now() - interval '3 hours'`);
  await settle(await message(), 'sent', `now() - interval '3 days'`);
  await settle(
    await queueMessage(database, { ...other, numberId: await makeNumber(database, other) }),
    'sent',
  );
  const { numbers, days, troubles } = await look(accountId);
  const [figures] = numbers;
  expect(numbers).toHaveLength(1);
  expect(figures).toMatchObject({ numberId, delivered: 1, failed: 1, unknown: 1 });
  expect(figures?.hours).toHaveLength(24);
  expect(figures?.hours.at(-1)).toBe(2);
  expect(figures?.hours.at(-4)).toBe(1);
  expect(days).toHaveLength(30);
  expect(days.reduce((sum, day) => sum + day.sent, 0)).toBe(4);
  expect(days.at(-4)?.sent).toBe(1);
  expect(troubles.map(({ status }) => status)).toEqual(['unknown', 'failed']);
});

test('a waiting message that was not sent needs attention, unless a person cancelled it', async () => {
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
  const { troubles } = await look(accountId);
  expect(troubles.map(({ id }) => id)).toEqual([late, byPlan]);
});

test('a day begins at midnight in the viewer’s time zone', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  // Noon in one of two zones that are 23 hours apart is always another day in the other.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const [row] = await database.sql<{ today: string }[]>`
      select to_char(clock_timestamp() at time zone ${zone}, 'YYYY-MM-DD') as today`;
    const { days } = await look(accountId, zone);
    expect(days.at(-1)?.day).toBe(row?.today);
  }
  await settle(
    await queueMessage(database, { accountId, numberId }),
    'sent',
    `date_trunc('day', now(), 'Pacific/Kiritimati') - interval '1 second'`,
  );
  expect((await look(accountId, 'Pacific/Kiritimati')).numbers[0]?.sent ?? 0).toBe(0);
  expect((await look(accountId, 'Pacific/Kiritimati')).days.at(-2)?.sent).toBe(1);
});
