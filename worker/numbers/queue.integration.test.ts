import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { storedLane } from '#server/schema/lane.ts';
import { startWorld, until, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const deliveredOf = (numberId: string) => world.network.delivered.filter((d) => d.numberId === numberId);
const bodiesOf = (numberId: string) =>
  deliveredOf(numberId).map(({ content }) => (content.type === 'text' ? content.body : content.type));

test('a sync message among a bulk of a hundred async ones is dispatched within two slots', async () => {
  const { key, numberId } = await world.addLinkedNumber(1);
  const mode = { kind: 'async', expiresInSeconds: null } as const;
  // One after another: at once, a busy machine refuses those whose turn does not come within 8 s.
  for (let n = 0; n < 100; n++) await world.text(key, `49170001${1000 + n}`, 'bulk', { mode });
  await world.text(key, '491700000001', 'sync');
  // Counted from the message's admission: on a busy machine, a count by the test would start too early.
  const [counted] = await world.database.sql<{ slots: number }[]>`
    select count(*)::int as slots from messages m, messages sync
    where sync.number_id = ${numberId} and sync.recipient = '491700000001@c.us' and m.number_id = sync.number_id
      and m.dispatched_at > sync.created_at and m.dispatched_at <= sync.dispatched_at`;
  expect(counted?.slots).toBeGreaterThanOrEqual(1);
  expect(counted?.slots).toBeLessThanOrEqual(2);
  await cancelWaiting(world.database.db, {
    accountId: world.accountId,
    numberId,
    errorCode: 'cancelled_by_person',
  });
});

test('the 101st async message is refused, with when there is space', async () => {
  const { key, numberId } = await world.addLinkedNumber(600);
  const async = { mode: { kind: 'async', expiresInSeconds: null } } as const;
  await world.text(key, '491700000001', 'takes the slot');
  for (let n = 0; n < 100; n++) await world.text(key, '491700000002', `bulk ${n}`, async);
  const refused = await world.text(key, '491700000002', 'too many', async).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ code: 'queue_full' });
  const [row] = await world.database
    .sql`select count(*)::int as n from messages where number_id = ${numberId} and status = 'queued'`;
  expect(row?.n).toBe(100);
});

test('a message admitted for a slot just before its deadline is sent while its caller waits', async () => {
  const { key, numberId } = await world.addLinkedNumber(10);
  await world.database.sql`
    update leases set next_send_at = clock_timestamp() + interval '3 seconds' where number_id = ${numberId}`;
  const postedAtMs = performance.now();
  // A sync message must leave within 40 s, and 36 s have passed.
  const { message } = await world.text(key, '491700002010', 'last', { arrivedAtMs: postedAtMs - 36_000 });
  expect(message.status).toBe('sent');
  const sent = deliveredOf(numberId);
  expect(sent).toHaveLength(1);
  expect((sent[0]?.atMs ?? 0) - postedAtMs).toBeGreaterThan(2_500);
});

test('the interval is kept by the next worker after a long upload whose session was lost as the message left', async () => {
  const { key, numberId } = await world.addLinkedNumber(3);
  world.network.behave(numberId, 'drop');
  await expect(world.text(key, '491700000001', 'before')).rejects.toMatchObject({ code: 'send_unknown' });
  // As if the upload had taken the whole interval: the slot counts from the claim.
  await world.database.sql`update leases set next_send_at = clock_timestamp() where number_id = ${numberId}`;
  await world.restartWorker();
  await world.untilStatus(numberId, 'CONNECTED');
  await world.text(key, '491700000001', 'after');
  const [before, after] = deliveredOf(numberId);
  expect((after?.atMs ?? 0) - (before?.atMs ?? 0)).toBeGreaterThanOrEqual(3000);
});

test('the interval is kept when a number is released and taken again at once, whatever slot the database has', async () => {
  const { key, numberId } = await world.addLinkedNumber(2);
  await world.text(key, '491700000001', 'before');
  // The state after the database's clock jumps forwards: the lease has expired, and the next slot has come.
  await world.database.sql`
    update leases set worker_id = null, expires_at = null, next_send_at = clock_timestamp() where number_id = ${numberId}`;
  await until(async () => {
    const [lease] = await world.database.sql`
      select 1 from leases where number_id = ${numberId} and worker_id is not null`;
    return lease !== undefined;
  });
  await world.untilStatus(numberId, 'CONNECTED');
  await world.text(key, '491700000001', 'after');
  const [before, after] = deliveredOf(numberId);
  expect((after?.atMs ?? 0) - (before?.atMs ?? 0)).toBeGreaterThanOrEqual(2000);
});

test('a lost wake-up delays a message by at most two seconds', async () => {
  const { key, numberId, keyId } = await world.addLinkedNumber();
  await world.text(key, '491700000001', 'known');
  await world.database.sql`alter table messages disable trigger messages_tell_new`;
  try {
    const began = performance.now();
    // Inserted as admission does it, but without waking the worker.
    await world.database.sql`
      insert into messages (id, account_id, number_id, api_key_id, type, recipient, content, lane, deadline_at, media_status)
      values ('msg_unannounced', ${world.accountId}, ${numberId}, ${keyId}, 'text', '491700000001@c.us',
        ${{ type: 'text', body: 'unannounced' }}, ${storedLane('sync')}, clock_timestamp() + interval '40 seconds', 'none')`;
    await until(() => bodiesOf(numberId).includes('unannounced'));
    expect(performance.now() - began).toBeLessThan(2000);
  } finally {
    await world.database.sql`alter table messages enable trigger messages_tell_new`;
  }
});
