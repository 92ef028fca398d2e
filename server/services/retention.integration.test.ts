import { afterAll, beforeAll, expect, test } from 'vitest';
import { setDatabase } from '#server/db/client.ts';
import { createTestDatabase } from '#server/db/testing.ts';
import { eraseExpired } from './erase-expired.ts';
import { RETENTION_MOST, retentionOf, setRetention } from './retention.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from './testing.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
  setDatabase(database);
});
afterAll(() => database.drop());

interface Age {
  days: number;
  status?: 'queued' | 'sent' | 'unknown';
  idempotencyKey?: string;
  mediaStatus?: 'none' | 'ready';
}

/** A message that was accepted, and ended, so many days ago. */
async function messageOf(ref: { accountId: string; numberId: string }, age: Age): Promise<string> {
  const { days, status = 'sent', idempotencyKey = null, mediaStatus = 'none' } = age;
  const id = await queueMessage(database, ref);
  if (status !== 'queued') await database.sql`update messages set status = 'sending' where id = ${id}`;
  await database.sql`
    update messages set status = ${status}, request_hash = 'hash', idempotency_key = ${idempotencyKey},
      media_status = ${mediaStatus}, created_at = now() - ${days}::float8 * interval '1 day',
      settled_at = ${status === 'queued' ? null : database.sql`now() - ${days}::float8 * interval '1 day'`}
    where id = ${id}`;
  return id;
}

/** What is left of a message: nothing, or which of its parts. */
async function leftOf(id: string): Promise<string> {
  const [row] = await database.sql<{ text: boolean; hash: boolean; media: string }[]>`
    select content is not null as text, request_hash is not null as hash, media_status as media
    from messages where id = ${id}`;
  if (!row) return 'nothing';
  const parts = [row.text && 'text', row.hash && 'hash', row.media !== 'none' && row.media];
  return parts.filter(Boolean).join(' ');
}

async function accountWithNumber() {
  const { accountId } = await makeAccount(database);
  return { accountId, numberId: await makeNumber(database, { accountId }) };
}

test('texts go after 30 days, files 24 hours after the end, everything else after 90 days', async () => {
  const ref = await accountWithNumber();
  const ages = [0.5, 0.9, 1.1, 29, 31, 89, 91];
  const ids = await Promise.all(ages.map((days) => messageOf(ref, { days, mediaStatus: 'ready' })));
  await eraseExpired(database);
  expect(await Promise.all(ids.map(leftOf))).toEqual([
    'text hash ready',
    'text hash ready',
    'text erased',
    'text erased',
    'erased',
    'erased',
    'nothing',
  ]);
});

test('what is still under way is never erased, however old', async () => {
  const ref = await accountWithNumber();
  const open = await messageOf(ref, { days: 200, status: 'queued' });
  await eraseExpired(database);
  expect(await leftOf(open)).toBe('text hash');
});

test('an account that keeps nothing loses text, file and the rest at once, but no repeat its message', async () => {
  const ref = await accountWithNumber();
  const other = await accountWithNumber();
  const nothing = { textRetentionDays: 0, mediaRetentionHours: 0, metadataRetentionDays: 0 };
  expect(await setRetention(database, { ...ref, ...nothing, actor: CLI })).toEqual(nothing);
  expect(await retentionOf(database.db, other)).toEqual(RETENTION_MOST);
  const minutes = (count: number) => count / 1440;
  const fresh = await messageOf(ref, { days: minutes(5), mediaStatus: 'ready' });
  const old = await messageOf(ref, { days: minutes(11) });
  const keyed = await messageOf(ref, { days: minutes(11), idempotencyKey: 'k1' });
  const unclear = await messageOf(ref, { days: minutes(11), status: 'unknown' });
  const theirs = await messageOf(other, { days: minutes(11), mediaStatus: 'ready' });
  await eraseExpired(database);
  expect(await leftOf(fresh)).toBe('hash erased');
  expect(await leftOf(old)).toBe('nothing');
  expect(await leftOf(keyed)).toBe('hash');
  expect(await leftOf(unclear)).toBe('nothing');
  expect(await leftOf(theirs)).toBe('text hash ready');
});

test.each([
  { textRetentionDays: 31 },
  { mediaRetentionHours: 25 },
  { metadataRetentionDays: 91 },
  { textRetentionDays: -1 },
  { textRetentionDays: 1.5 },
  { textRetentionDays: Number.NaN },
])('%o is refused: an account lowers what is kept, and raises nothing', async (given) => {
  const ref = await accountWithNumber();
  const change = setRetention(database, { ...ref, ...RETENTION_MOST, ...given, actor: CLI });
  await expect(change).rejects.toMatchObject({ code: 'invalid_parameters' });
  expect(await retentionOf(database.db, ref)).toEqual(RETENTION_MOST);
});

test('look-ups, codes for linking, reset links and counts of tries go when they are of no more use', async () => {
  const ref = await accountWithNumber();
  const { numberId } = ref;
  await database.sql`
    insert into look_ups values (${numberId}, '491700000001', true, now() - interval '91 days'),
      (${numberId}, '491700000002', true, now() - interval '89 days')`;
  const linking = await makeNumber(database, ref);
  await database.sql`update numbers set intent = 'link', link_until = now() + interval '5 minutes' where id = ${linking}`;
  await database.sql`
    insert into number_links (number_id, qr, qr_expires_at, updated_at) values
      (${numberId}, 'x', now() + interval '1 minute', now()), (${linking}, 'x', now() - interval '1 second', now())`;
  await database.sql`insert into rate_buckets values ('bad-keys:192.0.2.1', 1, now() - interval '2 days')`;
  const erased = await eraseExpired(database);
  expect(erased).toMatchObject({ lookUps: 1, linkingCodes: 2, leftovers: 1 });
  const [left] = await database.sql`
    select (select count(*)::int from look_ups) as look_ups, (select count(*)::int from number_links) as links`;
  expect(left).toEqual({ look_ups: 1, links: 0 });
});

test('many rows go in batches, and none is left over', async () => {
  const ref = await accountWithNumber();
  await Promise.all(Array.from({ length: 25 }, () => messageOf(ref, { days: 40 })));
  expect((await eraseExpired(database, { batch: 10 })).texts).toBe(25);
  expect(await eraseExpired(database)).toMatchObject({ texts: 0 });
});

test('a linking that goes on keeps the code that it shows', async () => {
  const ref = await accountWithNumber();
  await linkAsWorker(database, ref);
  const linking = await makeNumber(database, ref);
  await database.sql`update numbers set intent = 'link', link_until = now() + interval '5 minutes' where id = ${linking}`;
  await database.sql`
    insert into number_links (number_id, qr, qr_expires_at, updated_at)
    values (${linking}, 'x', now() + interval '20 seconds', now())`;
  await eraseExpired(database);
  const rows = await database.sql`select 1 from number_links where number_id = ${linking}`;
  expect(rows).toHaveLength(1);
});
