import { beforeEach, expect, test } from 'vitest';
import type { Holding } from '#server/core/lease.ts';
import { numberQueue } from '#server/numbers/number-queue.ts';
import { testDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { claimSlot } from './queries/claim.ts';
import { readOutlook } from './queries/slots.ts';
import { findOverlooked } from './queries/sweeps.ts';

const database = testDatabase();
let accountId: string;
let numberId: string;
let holding: Holding;
beforeEach(async () => {
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  const [lease] = await database.sql<{ workerId: string; fence: number }[]>`
    update leases set worker_id = 'wrk_of_a_test', next_send_at = clock_timestamp(), renewed_at = clock_timestamp(),
      expires_at = clock_timestamp() + interval '1 hour'
    where number_id = ${numberId} returning worker_id as "workerId", fence::float8 as fence`;
  if (!lease) throw new Error('the number has no lease');
  holding = { numberId, ...lease };
});

const message = (inSeconds: number | null, recipient = '491700000001@c.us') =>
  queueMessage(database, { accountId, numberId, recipient }).then(async (id) => {
    if (inSeconds !== null)
      await database.sql`
        update messages set send_at = clock_timestamp() + ${inSeconds} * interval '1 second',
          deadline_at = clock_timestamp() + ${inSeconds + 60} * interval '1 second' where id = ${id}`;
    return id;
  });
const claim = async () => {
  const claimed = await claimSlot(database, holding, { intervalMs: 0 });
  await claimed?.committed;
  return claimed?.message.id ?? null;
};
const due = (id: string) => database.sql`update messages set send_at = clock_timestamp() where id = ${id}`;

test('a scheduled message is not sent before its time, and is sent then', async () => {
  const later = await message(3600);
  expect(await claim()).toBeNull();
  await due(later);
  expect(await claim()).toBe(later);
});

test('no message waits for one that is scheduled for later, not even to the same recipient', async () => {
  await message(3600);
  const now = await message(null);
  expect(await claim()).toBe(now);
});

test('messages to one recipient that are due keep their order', async () => {
  const first = await message(3600);
  const second = await message(null);
  await due(first);
  expect([await claim(), await claim()]).toEqual([first, second]);
});

test('the worker looks again when the first scheduled message is due', async () => {
  await message(3600);
  await message(30);
  const { waiting, dueInMs } = await readOutlook(database, { numberId });
  expect(waiting).toBe(2);
  expect(dueInMs).toBeGreaterThan(28_000);
  expect(dueInMs).toBeLessThanOrEqual(30_000);
});

test('a scheduled message does not count as one whose wake-up was lost', async () => {
  const { workerId } = holding;
  const id = await message(3600);
  expect(await findOverlooked(database, { workerId, fetching: [] })).toEqual([]);
  await due(id);
  expect(await findOverlooked(database, { workerId, fetching: [] })).toEqual([numberId]);
});

test('scheduled messages to one recipient that wait for a decision differ by their time and reference', async () => {
  const ids = [await message(3600), await message(7200)];
  await database.sql`update messages set set_aside = true, reference = 'order-' || seq where id = any(${ids})`;
  const stored =
    await database.sql`select id, reference, send_at from messages where id = any(${ids}) order by seq`;
  const queue = await numberQueue({ database, accountId }, { numberId });
  expect(queue.map(({ id, reference, sendAt }) => [id, reference, Date.parse(sendAt ?? '')])).toEqual(
    stored.map(({ id, reference, send_at }) => [id, reference, new Date(send_at).getTime()]),
  );
  expect(queue.map(({ setAside, scheduled }) => [setAside, scheduled])).toEqual([
    [true, true],
    [true, true],
  ]);
});

test('the queue shows scheduled messages last, each with the time until it leaves', async () => {
  const second = await message(3600, '491700000002@c.us');
  const first = await message(3600, '491700000001@c.us');
  await database.sql`update messages set send_at = (select send_at from messages where id = ${second}) where id = ${first}`;
  const now = await message(null, '491700000003@c.us');
  const queue = await numberQueue({ database, accountId }, { numberId });
  expect(queue.map(({ id, scheduled }) => [id, scheduled])).toEqual([
    [now, false],
    [second, true],
    [first, true],
  ]);
  const [, , last] = queue.map(({ inMs }) => inMs ?? 0);
  expect(queue[1]?.inMs).toBeGreaterThan(3_590_000);
  expect((last ?? 0) - (queue[1]?.inMs ?? 0)).toBeGreaterThan(7000);
});
