import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { setTimeZone } from '#server/accounts/account-settings.ts';
import { activity } from '#server/accounts/activity.ts';
import { overview } from '#server/accounts/overview.ts';
import { setRetention } from '#server/accounts/retention.ts';
import { type MessageStatus, TRANSITIONS } from '#server/core/message-state.ts';
import { findFact } from '#server/platform/db/facts.ts';
import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { eraseExpired } from './erase-expired.ts';
import { indexMessages } from './index-messages.ts';
import { COUNTS_DIFFERED, checkCounts, countStale, foldCounts, putTimeZone } from './keep-counts.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accountId: string;
let numberId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`delete from accounts`;
  await database.sql`delete from message_count_deltas`;
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  await inZone('UTC');
});

const inZone = async (timeZone: string) => {
  await setTimeZone({ database, accountId, actor: CLI }, { timeZone });
  await countStale({ database });
};

/** A message that goes through these states; `at` is SQL for the time it was accepted. */
async function message(states: readonly MessageStatus[], at = 'clock_timestamp()'): Promise<string> {
  const id = await queueMessage(database, { accountId, numberId });
  await database.sql.unsafe(`update messages set created_at = ${at} where id = $1`, [id]);
  for (const status of states) await become(id, status);
  return id;
}
const become = (id: string, status: MessageStatus) =>
  database.sql`update messages set status = ${status} where id = ${id}`;

/** Days, numbers and outcomes whose figure is not what the messages say, in one snapshot. */
const differences = () => database.sql`
  with said as (
    select date_trunc('day', m.created_at, a.counts_time_zone) as at, m.number_id, o.outcome, count(*) as n
    from messages m join accounts a on a.id = m.account_id join (values ('sent', 'sent'), ('delivered', 'sent'), ('read', 'sent'),
      ('delivered', 'delivered'), ('read', 'delivered'), ('failed', 'failed'), ('unknown', 'unknown'), ('expired', 'expired'),
      ('cancelled', 'cancelled')) o (status, outcome) on o.status = m.status group by 1, 2, 3
    union all
    select at, number_id, outcome, -count from message_counts where unit = 'day'
    union all
    select date_trunc('day', d.created_at, a.counts_time_zone), d.number_id, d.outcome, -d.amount
    from message_count_deltas d join accounts a on a.id = d.account_id)
  select at, number_id, outcome, sum(n)::int as n from said group by 1, 2, 3 having sum(n) <> 0`;

async function today() {
  const { numbers } = await overview({ database, accountId });
  const [row = { sent: 0, delivered: 0, failed: 0, unknown: 0, expired: 0, cancelled: 0 }] = numbers;
  const { sent, delivered, failed, unknown, expired, cancelled } = row;
  return { sent, delivered, failed, unknown, expired, cancelled };
}
const none = { sent: 0, delivered: 0, failed: 0, unknown: 0, expired: 0, cancelled: 0 };

test.each<[MessageStatus[], object]>([
  [[], {}],
  [['sending'], {}],
  [['sending', 'sent'], { sent: 1 }],
  [['sending', 'sent', 'delivered'], { sent: 1, delivered: 1 }],
  [['sending', 'sent', 'read'], { sent: 1, delivered: 1 }],
  [['sending', 'delivered', 'read'], { sent: 1, delivered: 1 }],
  [['sending', 'read'], { sent: 1, delivered: 1 }],
  [['sending', 'failed'], { failed: 1 }],
  [['failed'], { failed: 1 }],
  [['sending', 'unknown'], { unknown: 1 }],
  [['sending', 'unknown', 'sent'], { sent: 1 }],
  [['sending', 'unknown', 'read'], { sent: 1, delivered: 1 }],
  [['sending', 'unknown', 'failed'], { failed: 1 }],
  [['expired'], { expired: 1 }],
  [['cancelled'], { cancelled: 1 }],
])('a message that becomes %j is counted as %j, before and after the fold', async (states, expected) => {
  await message(states);
  expect(await today()).toEqual({ ...none, ...expected });
  await foldCounts({ database });
  expect(await database.sql`select from message_count_deltas`).toHaveLength(0);
  expect(await today()).toEqual({ ...none, ...expected });
});

test('a message that is stored with its outcome is counted, and a deleted one stays counted', async () => {
  await database.sql`
    insert into messages (id, account_id, number_id, type, recipient, lane, status, deadline_at, media_status)
    values ('msg_stored', ${accountId}, ${numberId}, 'text', '4915228817386@c.us', 'async', 'read', now(), 'none')`;
  expect(await today()).toEqual({ ...none, sent: 1, delivered: 1 });
  await database.sql`delete from messages`;
  await foldCounts({ database });
  expect(await today()).toEqual({ ...none, sent: 1, delivered: 1 });
});

test('figures equal the messages at every moment while messages change, counts are folded and recounted', async () => {
  const until = performance.now() + 4_000;
  const states = new Map<string, MessageStatus>();
  const any = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)];
  const whileTime = async (work: () => Promise<unknown>) => {
    while (performance.now() < until) await work();
  };
  const change = async () => {
    const id = Math.random() < 0.3 ? undefined : any([...states.keys()]);
    if (id === undefined) {
      const days = Math.random() * 6;
      states.set(await message([], `clock_timestamp() - ${days} * interval '1 day'`), 'queued');
      return;
    }
    const next = any(TRANSITIONS[states.get(id) ?? 'read']);
    // Another change of the same message waits for its row, and the map says what it has become.
    if (next === undefined || states.get(id) === 'read') return;
    states.set(id, next);
    await become(id, next).catch(() => {});
  };
  let looked = 0;
  await Promise.all([
    ...[1, 2, 3].map(() => whileTime(change)),
    whileTime(() => foldCounts({ database }, { batch: 7 })),
    whileTime(async () => {
      await database.sql`update accounts set counted_at = null`;
      await countStale({ database });
    }),
    whileTime(async () => {
      expect(await differences()).toEqual([]);
      looked += 1;
    }),
  ]);
  expect(states.size).toBeGreaterThan(50);
  expect(looked).toBeGreaterThan(20);
  await foldCounts({ database });
  expect(await differences()).toEqual([]);
  expect(await checkCounts({ database })).toBe(0);
});

test('the nightly check repairs damaged counts of finished days, and says so until a check finds none', async () => {
  await message(['sending', 'sent'], `now() - interval '2 days'`);
  await foldCounts({ database });
  await database.sql`update message_counts set count = 7 where outcome = 'sent'`;
  await database.sql`insert into message_counts values (${accountId}, 'day', date_trunc('day', now() - interval '3 days', 'UTC'), ${numberId}, '', 'text', 'failed', 2)`;
  expect(await differences()).toHaveLength(2);
  expect(await checkCounts({ database })).toBe(3);
  expect(await differences()).toEqual([]);
  expect(await findFact(database.db, { key: COUNTS_DIFFERED })).toContain('"corrected":3');
  expect(await checkCounts({ database })).toBe(0);
  expect(await findFact(database.db, { key: COUNTS_DIFFERED })).toBeNull();
});

test('the check leaves days alone whose messages retention deletes, or deleted under an earlier setting', async () => {
  await message(['sending', 'sent'], `now() - interval '20 days'`);
  await message(['sending', 'sent'], `now() - interval '2 days'`);
  await foldCounts({ database });
  const retain = (metadataRetentionDays: number) =>
    setRetention({ database, accountId, actor: CLI }, { textRetentionDays: 0, metadataRetentionDays });
  await retain(10);
  expect((await eraseExpired({ database })).messages).toBe(1);
  expect(await checkCounts({ database })).toBe(0);
  await retain(90);
  await database.sql`delete from messages where created_at < now() - interval '1 day'`;
  // Only the day that is certainly held is compared, and its message was deleted behind the product's back.
  expect(await checkCounts({ database })).toBe(2);
  const { rows } = await activity({ database, accountId }, { range: '30d' });
  expect(rows.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
});

test('hours of a zone with a half-hour offset begin at its full hours', async () => {
  await inZone('Asia/Calcutta');
  await message(['sending', 'sent'], `date_trunc('hour', now(), 'Asia/Calcutta') + interval '1 millisecond'`);
  await message(['sending', 'sent'], `date_trunc('hour', now(), 'Asia/Calcutta') - interval '1 millisecond'`);
  const sent = async () =>
    (await activity({ database, accountId }, { range: '24h' })).rows.slice(-2).map((row) => row.sent);
  expect(await sent()).toEqual([1, 1]);
  await foldCounts({ database });
  expect(await sent()).toEqual([1, 1]);
  const [hour] = await database.sql<{ minute: string }[]>`
    select distinct to_char(at at time zone 'UTC', 'MI') as minute from message_counts where unit = 'hour'`;
  expect(hour?.minute).toBe('30');
});

test('a day of 25 hours is one day, and its repeated hour two hours', async () => {
  await inZone('Europe/Berlin');
  await database.sql`update accounts set metadata_retention_days = 90`;
  // Clocks went back at 01:00 UTC on 25 October 2026.
  for (const at of ['2026-10-24T22:00Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T22:59Z'])
    await message(['sending', 'sent'], `'${at}'`);
  const counted = () => database.sql`
    select unit, to_char(at at time zone 'UTC', 'DD HH24:MI') as at, count from message_counts where unit = 'day' order by 1, at`;
  await foldCounts({ database });
  expect(await counted()).toEqual([{ unit: 'day', at: '24 22:00', count: 4 }]);
  expect(
    await database.sql`
    select date_trunc('hour', t::timestamptz, 'Europe/Berlin') as at
    from (values ('2026-10-25T00:30Z'), ('2026-10-25T01:30Z')) v (t) group by 1`,
  ).toHaveLength(2);
});

test('another time zone moves the days, and keeps those whose messages are gone', async () => {
  await message(
    ['sending', 'sent'],
    `date_trunc('day', now(), 'UTC') - interval '2 days' + interval '1 hour'`,
  );
  const old = await message(['sending', 'failed'], `date_trunc('day', now(), 'UTC') - interval '100 days'`);
  await foldCounts({ database });
  await database.sql`delete from messages where id = ${old}`;
  await inZone('America/New_York');
  expect(await differences()).toMatchObject([{ outcome: 'failed', n: -1 }]);
  const rows = await database.sql<{ day: string; outcome: string }[]>`
    select (now()::date - (at at time zone 'America/New_York')::date) as ago, outcome from message_counts
    where unit = 'day' and count <> 0 order by 1`;
  expect(rows).toEqual([
    { ago: 3, outcome: 'sent' },
    { ago: 100, outcome: 'failed' },
  ]);
});

test('messages from before the counts were kept are counted once, by any number of processes', async () => {
  await message(['sending', 'sent', 'delivered'], `now() - interval '5 days'`);
  await message(['failed']);
  // As the migration leaves them: rows without counts.
  await database.sql`delete from message_count_deltas`;
  await database.sql`update accounts set counts_time_zone = null, counted_at = null`;
  await message(['sending', 'sent']);
  await Promise.all([1, 2, 3].map(() => countStale({ database })));
  expect(await differences()).toEqual([]);
  expect(await today()).toEqual({ ...none, sent: 1, failed: 1 });
  expect(await countStale({ database })).toBe(0);
});

test('processes with different time zones count in that of the last start, and the others report it once', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
  await database.sql`update accounts set time_zone = null`;
  await message(['failed']);
  await putTimeZone({ database });
  await countStale({ database });
  // Another process starts, with another zone.
  await database.sql`update installation set value = 'Asia/Tokyo' where key = 'time_zone'`;
  expect(await countStale({ database })).toBe(1);
  expect(await countStale({ database })).toBe(0);
  const [account] = await database.sql`select counts_time_zone as zone from accounts`;
  expect(account).toEqual({ zone: 'Asia/Tokyo' });
  expect(await differences()).toEqual([]);
  const zones = { ours: settings.timeZone, latest: 'Asia/Tokyo' };
  expect(warn.mock.calls).toEqual([[zones, expect.stringMatching(/^TIME_ZONE differs from that of/)]]);
  await putTimeZone({ database });
  vi.restoreAllMocks();
});

test('messages whose changes were never counted, as after a restore, are counted and indexed', async () => {
  const previous = await createTestDatabase();
  try {
    await previous.sql.unsafe(`
      set session_replication_role = replica;
      insert into accounts (id, name, time_zone) values ('acc_1', 'Heron & Sons', 'Europe/Berlin'), ('acc_2', 'Plover', null);
      insert into numbers (id, account_id, network) values ('num_1', 'acc_1', 'sandbox');
      insert into messages (id, account_id, number_id, type, recipient, lane, status, deadline_at, media_status, created_at)
        select 'msg_' || n, 'acc_1', 'num_1', 'text', '4915228817386@c.us', 'async', case when n % 4 = 0 then 'failed' else 'read' end,
          now(), 'none', now() - n * interval '3 hours' from generate_series(0, 99) n;
      set session_replication_role = origin`);
    expect(await countStale({ database: previous })).toBe(1);
    const { rows, timeZone } = await activity({ database: previous, accountId: 'acc_1' }, { range: '30d' });
    expect(timeZone).toBe('Europe/Berlin');
    expect(rows.reduce((sum, row) => sum + row.failed, 0)).toBe(25);
    expect(rows.reduce((sum, row) => sum + row.sent, 0)).toBe(75);
    expect(await checkCounts({ database: previous })).toBe(0);
    expect(await indexMessages({ database: previous }, { batch: 100 })).toEqual({ indexed: 100, renewed: 0 });
  } finally {
    await previous.drop();
  }
});

test('hours are deleted after days, and days after more than a year', async () => {
  for (const days of [0, 2, 6, 399, 401]) await message(['failed'], `now() - ${days} * interval '1 day'`);
  await database.sql`
    insert into message_counts (account_id, unit, at, number_id, api_key_id, type, outcome, count)
    select account_id, u.unit, date_trunc(u.unit, created_at, 'UTC'), number_id, '', type, outcome, amount
    from message_count_deltas cross join (values ('hour'), ('day')) u (unit)`;
  expect((await eraseExpired({ database })).counts).toBe(4);
  const kept = await database.sql<{ unit: string; n: number }[]>`
    select unit, count(*)::int as n from message_counts group by 1 order by 1`;
  expect(kept).toEqual([
    { unit: 'day', n: 4 },
    { unit: 'hour', n: 2 },
  ]);
});
