import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#server/core/id.ts';
import { linkingView, openLinking } from '#server/numbers/link-number.ts';
import { claimLeases } from '#server/numbers/queries/leases.ts';
import { forgetLinkingCodes } from '#server/numbers/queries/linking-codes.ts';
import { writeLink } from '#server/numbers/queries/sessions.ts';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { watchLinkingCodes } from '#server/numbers/watch-linking-codes.ts';
import { eraseExpired } from '#server/operations/erase-expired.ts';
import {
  deleteLookUps,
  deleteMessages,
  deleteRecipients,
  type EraseBatch,
  eraseHashes,
  eraseTexts,
} from '#server/operations/queries/retention.ts';
import { knownPlace, rememberPlace } from '#server/people/known-places.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { msAgo } from '#server/platform/db/expressions.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { type Sql, sqlOver } from '#server/testing/sql.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { RETENTION_MOST, retentionOf, setRetention } from './retention.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));
afterAll(stopClientBoss);

interface Age {
  days: number;
  status?: 'queued' | 'sent' | 'unknown';
  idempotencyKey?: string;
  mediaStatus?: 'none' | 'ready';
}

/** A message that was accepted, and ended, as long ago as `age` says. */
async function messageOf(ref: { accountId: string; numberId: string }, age: Age): Promise<string> {
  const { days, status = 'sent', idempotencyKey = null, mediaStatus = 'none' } = age;
  const id = await queueMessage(database, ref);
  if (status !== 'queued') await database.sql`update messages set status = 'sending' where id = ${id}`;
  await database.sql`
    update messages set status = ${status}, request_hash = 'hash', idempotency_key = ${idempotencyKey},
      media_status = ${mediaStatus}, created_at = now() - ${days}::float8 * interval '1 day',
      settled_at = ${status === 'queued' ? null : msAgo(days * 86_400_000)}
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

test('texts are erased after 30 days, files with the outcome, everything else after 90 days', async () => {
  const ref = await accountWithNumber();
  const ages = [0.5, 0.9, 1.1, 29, 31, 89, 91];
  const ids = await Promise.all(ages.map((days) => messageOf(ref, { days, mediaStatus: 'ready' })));
  await eraseExpired({ database });
  expect(await Promise.all(ids.map(leftOf))).toEqual([
    'text hash erased',
    'text hash erased',
    'text erased',
    'text erased',
    'erased',
    'erased',
    'nothing',
  ]);
});

test.each([
  ['texts', eraseTexts],
  ['hashes', eraseHashes],
  ['messages', deleteMessages],
])('%s: messages that are not old enough are not read', async (_, erase) => {
  const ref = await accountWithNumber();
  const first = await messageOf(ref, { days: 0.5 });
  await database.sql.begin(async (sql) => {
    await sql`
      insert into messages (id, account_id, number_id, type, recipient, content, lane, status, deadline_at, request_hash, media_status)
      select id || '_' || n, account_id, number_id, type, recipient, content, lane, status, deadline_at, request_hash, media_status
      from messages, generate_series(1, 3000) n where id = ${first}`;
    await sql`analyze messages`;
    expect(await rowsRead(sql, 'messages', erase)).toBeLessThan(500);
  });
});

test.each([
  ['look_ups', deleteLookUps, 'digits, found, at'],
  ['recipients', deleteRecipients, 'recipient, known_at, asked_at'],
])('%s: rows that are not old enough are not read', async (table, erase, columns) => {
  const { numberId } = await accountWithNumber();
  const values = table === 'look_ups' ? 'true, now()' : 'now(), now()';
  await database.sql.begin(async (sql) => {
    await sql.unsafe(`
      insert into ${table} (number_id, ${columns})
      select '${numberId}', 49170000000 + n, ${values} from generate_series(1, 3000) n`);
    await sql.unsafe(`analyze ${table}`);
    expect(await rowsRead(sql, table, erase)).toBeLessThan(500);
  });
});

/** How many rows of a table a batch reads. */
async function rowsRead(sql: Sql, table: string, erase: EraseBatch): Promise<number> {
  const read = async () => {
    const [row] = await sql<{ rows: number }[]>`
      select (idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_xact_user_tables where relname = ${table}`;
    return row?.rows ?? Number.NaN;
  };
  const before = await read();
  await erase({ ...database, db: sql.db }, { limit: 100 });
  return (await read()) - before;
}

test('an unfinished message is never erased, however old', async () => {
  const ref = await accountWithNumber();
  const open = await messageOf(ref, { days: 200, status: 'queued' });
  await eraseExpired({ database });
  expect(await leftOf(open)).toBe('text hash');
});

test('an account that keeps nothing loses text, file and the rest at once, but a repeat still finds its message', async () => {
  const ref = await accountWithNumber();
  const other = await accountWithNumber();
  const nothing = { textRetentionDays: 0, metadataRetentionDays: 0 };
  expect(await setRetention({ database, ...ref, ...nothing, actor: CLI }, { ...ref, ...nothing })).toEqual(
    nothing,
  );
  expect(await retentionOf({ database, ...other })).toEqual(RETENTION_MOST);
  const minutes = (count: number) => count / 1440;
  const fresh = await messageOf(ref, { days: minutes(5), mediaStatus: 'ready' });
  const old = await messageOf(ref, { days: minutes(11) });
  const keyed = await messageOf(ref, { days: minutes(11), idempotencyKey: 'k1' });
  const unclear = await messageOf(ref, { days: minutes(11), status: 'unknown' });
  const theirs = await messageOf(other, { days: minutes(11), mediaStatus: 'ready' });
  await eraseExpired({ database });
  expect(await leftOf(fresh)).toBe('hash erased');
  expect(await leftOf(old)).toBe('nothing');
  expect(await leftOf(keyed)).toBe('hash');
  expect(await leftOf(unclear)).toBe('nothing');
  expect(await leftOf(theirs)).toBe('text hash erased');
});

test.each([
  { textRetentionDays: 31 },
  { metadataRetentionDays: 91 },
  { textRetentionDays: -1 },
  { textRetentionDays: 1.5 },
  { textRetentionDays: Number.NaN },
])('%o is refused: an account can only lower its retention', async (given) => {
  const ref = await accountWithNumber();
  const change = setRetention(
    { database, ...ref, ...RETENTION_MOST, ...given, actor: CLI },
    { ...ref, ...RETENTION_MOST, ...given },
  );
  await expect(change).rejects.toMatchObject({ code: 'invalid_parameters' });
  expect(await retentionOf({ database, ...ref })).toEqual(RETENTION_MOST);
});

test('look-ups, reset links and attempt counts are erased once they are useless', async () => {
  const ref = await accountWithNumber();
  const { numberId } = ref;
  await database.sql`
    insert into look_ups values (${numberId}, '491700000001', true, now() - interval '91 days'),
      (${numberId}, '491700000002', true, now() - interval '89 days')`;
  await database.sql`insert into rate_buckets values ('bad-keys:192.0.2.1', 1, now() - interval '2 days')`;
  expect(await eraseExpired({ database })).toMatchObject({ lookUps: 1, leftovers: 1 });
  const [left] = await database.sql`select count(*)::int as n from look_ups where number_id = ${numberId}`;
  expect(left?.n).toBe(1);
});

test('a number’s history is erased after 90 days, and after 30 where messages are kept for less, except since its last connection', async () => {
  const ref = await accountWithNumber();
  const { sql } = database;
  await sql`delete from number_events where number_id = ${ref.numberId}`;
  const [connected, silent] = ['CONNECTED', 'RECONNECTING'];
  for (const [days, status] of [
    [120, connected],
    [95, silent],
    [92, connected],
    [91, silent],
    [60, connected],
    [20, silent],
    [10, connected],
  ] as const)
    await sql`insert into number_events (number_id, status, at) values (${ref.numberId}, ${status}, now() - ${days} * interval '1 day')`;
  const left = async () => {
    const rows = await sql<{ days: number }[]>`
      select extract(day from now() - at)::int as days from number_events where number_id = ${ref.numberId} order by id`;
    return rows.map(({ days }) => days);
  };
  expect(await eraseExpired({ database })).toMatchObject({ numberEvents: 4 });
  expect(await left()).toEqual([60, 20, 10]);
  await setRetention({ database, ...ref, actor: CLI }, { textRetentionDays: 0, metadataRetentionDays: 0 });
  await eraseExpired({ database });
  expect(await left()).toEqual([20, 10]);
  // A number that stays connected, or away, keeps what its alerts go by.
  await sql`update number_events set at = at - interval '1 year' where number_id = ${ref.numberId}`;
  await sql`insert into number_events (number_id, status, at) values (${ref.numberId}, ${silent}, now() - interval '1 year')`;
  await eraseExpired({ database });
  expect(await left()).toHaveLength(2);
});

test('a number’s known people are erased with the messages to them, or with the number', async () => {
  const ref = await accountWithNumber();
  const { numberId } = ref;
  const left = async () =>
    (
      await database.sql`select recipient from recipients where number_id = ${numberId} order by recipient`
    ).map(({ recipient }) => recipient);
  await database.sql`
    insert into recipients (number_id, recipient, asked_at, known_at) values
      (${numberId}, '491700000001@c.us', now() - interval '200 days', now() - interval '91 days'),
      (${numberId}, '491700000002@c.us', now() - interval '200 days', now() - interval '89 days'),
      (${numberId}, '491700000003@c.us', now() - interval '92 days', null)`;
  expect(await eraseExpired({ database })).toMatchObject({ recipients: 2 });
  expect(await left()).toEqual(['491700000002@c.us']);
  await removeNumber({ database, ...ref, actor: CLI }, ref);
  expect(await left()).toEqual([]);
});

test('old attempts and known places are erased, and so are the attempts of a flood', async () => {
  const { userId } = await makeAccount(database, 0);
  const { sql } = database;
  // Without the limit of 10 s for a statement, which a busy machine needs for these rows alone.
  await database.pool.beginLong(
    (tx) => sqlOver(tx)`
      insert into attempts select 'few ' || n, 1, now(), now() from generate_series(1, 200050) n`,
  );
  await sql`insert into attempts values ('many', 50, now(), now()), ('old', 50, now(), now() - interval '25 hours')`;
  await sql`
    insert into known_places values ('who', 'new', ${userId}, now() - interval '89 days'),
      ('who', 'old', ${userId}, now() - interval '91 days')`;
  await eraseExpired({ database });
  const keys = await sql<{ key: string }[]>`select key from attempts where key not like 'few %'`;
  expect(keys.map(({ key }) => key)).toEqual(['many']);
  const [left] = await sql<{ n: number }[]>`select count(*)::int as n from attempts`;
  expect(left?.n).toBe(200_000);
  expect(await sql`select 1 from known_places where user_id = ${userId}`).toHaveLength(1);
  await sql`truncate attempts`;
});

test('what cannot be erased does not keep the rest: later steps run, deleted accounts are removed, and the error is reported', async () => {
  const { sql } = database;
  const ref = await accountWithNumber();
  const gone = await makeAccount(database);
  await sql`update accounts set deleted_at = now() where id = ${gone.accountId}`;
  await sql`insert into recipients (number_id, recipient, known_at) values (${ref.numberId}, 'old', now() - interval '1 year')`;
  await sql`insert into attempts values ('old', 1, now(), now() - interval '25 hours')`;
  await sql.unsafe(`
    create function stuck() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
    create trigger stuck before delete on recipients for each row execute function stuck()`);
  try {
    await expect(eraseExpired({ database })).rejects.toThrow('stuck');
  } finally {
    await sql.unsafe('drop function stuck cascade');
  }
  expect(await sql`select from attempts where key = 'old'`).toEqual([]);
  expect(await sql`select from accounts where id = ${gone.accountId}`).toEqual([]);
  expect(await eraseExpired({ database })).toMatchObject({ recipients: 1 });
});

test('a user has a limited number of known places, and the oldest are erased', async () => {
  const { userId, email } = await makeAccount(database, 0);
  for (let n = 0; n < 50; n++)
    await database.db.transaction((tx) =>
      rememberPlace(tx, { userId, email, place: { address: `198.51.100.${n}` } }),
    );
  const place = (n: number) => ({ email, place: { address: `198.51.100.${n}` } });
  expect([
    (await knownPlace({ database }, place(9))).known,
    (await knownPlace({ database }, place(10))).known,
  ]).toEqual([false, true]);
});

describe('a code for linking', () => {
  /** A number that is being linked by a worker, which shows a QR and a pairing code. */
  async function linking() {
    const ref = await accountWithNumber();
    await openLinking({ database, ...ref, actor: CLI }, { ...ref, pairingPhone: '4915228817386' });
    const workerId = newId('worker');
    const claim = { workerId, volumeId: 'vol_test', most: 1000, free: 1000 };
    const lease = (await claimLeases(database, claim)).find((one) => one.numberId === ref.numberId);
    const holding = { numberId: ref.numberId, workerId, fence: lease?.fence ?? 0 };
    await writeLink(database, holding, { qr: '2@abc', qrExpiresAtMs: Date.now() + 600_000 });
    await writeLink(database, holding, { pairingCode: 'ABCD1234' });
    // On a busy machine, a test takes longer than a worker may be silent.
    const { sql } = database;
    await sql`update leases set renewed_at = now() + interval '1 hour' where number_id = ${ref.numberId}`;
    return ref;
  }

  /** The codes of the number that are stored, shown or not. */
  async function stored({ numberId }: { numberId: string }): Promise<string> {
    const [row] = await database.sql<{ qr: boolean; code: boolean }[]>`
      select qr is not null as qr, pairing_code is not null as code from number_links where number_id = ${numberId}`;
    return [row?.qr && 'QR', row?.code && 'code'].filter(Boolean).join(' ');
  }

  test('is kept while it is valid', async () => {
    const number = await linking();
    await eraseExpired({ database });
    expect(await stored(number)).toBe('QR code');
    expect(await linkingView({ database, ...number }, number)).toMatchObject({
      qr: '2@abc',
      pairingCode: 'ABCD1234',
    });
  });

  test('is erased after its expiry, and hidden as soon as it expires', async () => {
    const number = await linking();
    const { numberId } = number;
    await database.sql`
      update number_links set qr_expires_at = clock_timestamp() - interval '1 ms' where number_id = ${numberId}`;
    expect(await linkingView({ database, ...number }, number)).toMatchObject({
      qr: null,
      pairingCode: 'ABCD1234',
    });
    expect(await forgetLinkingCodes(database)).toBe(1);
    expect(await stored(number)).toBe('code');
    await database.sql`
      update number_links set pairing_expires_at = clock_timestamp() - interval '1 ms' where number_id = ${numberId}`;
    expect(await linkingView({ database, ...number }, number)).toMatchObject({ qr: null, pairingCode: null });
    expect(await forgetLinkingCodes(database)).toBe(1);
    expect(await stored(number)).toBe('');
    expect(await forgetLinkingCodes(database)).toBe(0);
  });

  test('lasts three minutes for pairing', async () => {
    const { numberId } = await linking();
    const [row] = await database.sql<{ seconds: number }[]>`
      select extract(epoch from pairing_expires_at - updated_at)::float8 as seconds from number_links
      where number_id = ${numberId}`;
    expect(row?.seconds).toBeCloseTo(180, 1);
  });

  test.each([
    ['its worker is silent', `update leases set renewed_at = now() - interval '13 seconds'`],
    ['its worker gave the number back', `update leases set worker_id = null, expires_at = null`],
  ])('is erased when %s, because its browser no longer exists', async (_, change) => {
    const number = await linking();
    await database.sql.unsafe(`${change} where number_id = $1`, [number.numberId]);
    await forgetLinkingCodes(database);
    expect(await stored(number)).toBe('');
  });

  test.each([
    ['nobody scanned it in time', `update numbers set link_until = now() - interval '1 ms'`],
    ['linking has ended', `update numbers set intent = 'idle'`],
  ])('is erased with everything that linking showed when %s', async (_, change) => {
    const number = await linking();
    await database.sql.unsafe(`${change} where id = $1`, [number.numberId]);
    await forgetLinkingCodes(database);
    const rows = await database.sql`select 1 from number_links where number_id = ${number.numberId}`;
    expect(rows).toHaveLength(0);
  });

  test('is checked by every process continuously, also after a database outage', async () => {
    let away = true;
    const looked = new Proxy(database, {
      get: (target, name) => {
        if (name === 'sql' && away) throw new Error('the database is away');
        return Reflect.get(target, name);
      },
    });
    const number = await linking();
    const stop = watchLinkingCodes({ database: looked }, { everyMs: 20 });
    await database.sql`update leases set renewed_at = now() - interval '1 day' where number_id = ${number.numberId}`;
    away = false;
    await expect.poll(() => stored(number), { timeout: 30_000 }).toBe('');
    await stop();
  });
});

test('delivered webhook events name their recipients for no longer than the account keeps messages', async () => {
  const ref = await accountWithNumber();
  await createEndpoint(
    { database, accountId: ref.accountId, actor: CLI },
    { numberId: ref.numberId, url: 'https://example.com/hook' },
  );
  const { sql } = database;
  const ids = await Promise.all([1, 3, 3, 8].map((days) => messageOf(ref, { days })));
  for (const [n, days] of [1, 3, 3, 8].entries())
    await sql`update webhook_events set created_at = now() - ${days}::int * interval '1 day' where subject = ${ids[n] ?? ''}`;
  await sql`update webhook_deliveries set state = 'delivered' where subject in (${ids[0] ?? ''}, ${ids[1] ?? ''})`;
  await setRetention({ database, ...ref, actor: CLI }, { textRetentionDays: 2, metadataRetentionDays: 2 });
  await eraseExpired({ database });
  const left = await sql<{ subject: string }[]>`
    select distinct subject from webhook_events where account_id = ${ref.accountId} and type like 'message.%'`;
  expect(left.map(({ subject }) => subject).sort()).toEqual([ids[0], ids[2]].sort());
});

test('many rows are erased in batches, and none is left over', async () => {
  const ref = await accountWithNumber();
  await Promise.all(Array.from({ length: 25 }, () => messageOf(ref, { days: 40 })));
  expect((await eraseExpired({ database }, { batch: 10 })).texts).toBe(25);
  expect(await eraseExpired({ database })).toMatchObject({ texts: 0 });
});
