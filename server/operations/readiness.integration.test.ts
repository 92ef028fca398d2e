import { afterAll, beforeAll, expect, test } from 'vitest';
import { causeText } from '#server/numbers/cause-text.ts';
import { writeStatus } from '#server/numbers/queries/sessions.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { reserve, withSql } from '#server/testing/sql.ts';
import { readiness } from './readiness.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await stopClientBoss();
  await database.drop();
});

const worker = (seenAgo: string) => database.sql`
  insert into processes (id, kind, host, pid, seen_at)
  values ('wrk_test', 'worker', 'here', 1, clock_timestamp() - ${seenAgo}::interval)
  on conflict (id) do update set seen_at = excluded.seen_at`;

test('a worker counts as present while it was seen in the last 15 s', async () => {
  expect((await readiness({ database })).parts).toMatchObject({ database: true, queue: true, worker: false });
  await worker('10 seconds');
  expect((await readiness({ database })).parts.worker).toBe(true);
  await worker('16 seconds');
  const state = await readiness({ database });
  expect(state.parts.worker).toBe(false);
  expect(state.missing).toContain('worker');
  expect(state.reasons.worker).toBe('No worker has been seen for 15 s. Start one, or read its log.');
  expect(state.ready).toBe(false);
});

test('a worker whose browser does not start is not ready, unless another number is connected', async () => {
  await worker('0 seconds');
  const { accountId } = await makeAccount(database);
  const [one, two] = [await makeNumber(database, { accountId }), await makeNumber(database, { accountId })];
  const holding = await linkAsWorker(database, { numberId: one });
  const cause = { code: 'browser_failed', failure: 'openFiles' } as const;
  expect((await readiness({ database })).parts.worker).toBe(true);
  await writeStatus(database, holding, { status: 'RECONNECTING', cause });
  const { missing, reasons } = await readiness({ database });
  expect([missing.includes('worker'), reasons.worker]).toEqual([true, causeText(cause)]);
  await linkAsWorker(database, { numberId: two });
  expect((await readiness({ database })).parts.worker).toBe(true);
});

test('a part that waits for a locked table is named with its reason, and so is a database whose users wait', async () => {
  await worker('0 seconds');
  const holder = await reserve(database.pool);
  const [session] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const locked = (table: string) =>
    `1 database session waits for a lock. The table ${table} is locked: the session with PID ${session?.pid}. "cli doctor" says whose it is.`;
  try {
    await holder`begin`;
    await holder`lock table processes in access exclusive mode`;
    const state = await readiness({ database });
    expect(state.missing).toContain('worker');
    expect(state.reasons.worker).toMatch(
      /^\d database sessions? waits? for a lock\. The table processes is locked/,
    );
    await holder`rollback`;
    await holder`begin`;
    await holder`lock table messages in access exclusive mode`;
    const waiting = database.sql`select 1 from messages limit 1`;
    waiting.catch(() => {});
    await expect
      .poll(async () => (await readiness({ database })).reasons.database, { timeout: 8_000 })
      .toBe(locked('messages'));
    await holder`rollback`;
    await waiting;
  } finally {
    holder.release();
  }
  const { parts, reasons } = await readiness({ database });
  expect([parts.database, reasons.database]).toEqual([true, undefined]);
});

test('an unreachable database is named within seconds', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', 1);
  const state = await readiness({ database: away });
  expect(state.ready).toBe(false);
  expect(state.missing).toContain('database');
  // Each missing part has its reason.
  expect(Object.keys(state.reasons).sort()).toEqual([...state.missing].sort());
  expect(state.reasons.database).toContain('cannot be reached');
  expect(state.reasons.worker).toBe('Not known while the database is not ready.');
  await away.close();
});

test('a process stays ready while every connection for sending is busy', async () => {
  await worker('0 seconds');
  const held = await Promise.all(Array.from({ length: 10 }, () => database.pool.reserve()));
  const { parts } = await readiness({ database });
  for (const connection of held) connection.release({ reusable: true });
  expect(parts).toMatchObject({ database: true, queue: true, worker: true });
});

test('a database whose disk is full is named with its reason, though it still answers', async () => {
  const full = withSql(openDatabase(database.url, 2));
  await full.sql`create table full_disk (id int)`;
  await full.sql`create function no_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`;
  await full.sql`create trigger no_space before insert on full_disk for each row execute function no_space()`;
  expect((await readiness({ database: full })).parts.database).toBe(true);
  await expect(full.sql`insert into full_disk values (1)`).rejects.toMatchObject({ code: '53100' });
  const { ready, missing, reasons } = await readiness({ database: full });
  expect(ready).toBe(false);
  expect(missing).toContain('database');
  expect(reasons.database).toContain('Make room');
  await full.close();
});

test('a read-only database is named with its reason, though it still answers', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  const readOnly = openDatabase(database.url, 2);
  try {
    const { missing, reasons } = await readiness({ database: readOnly });
    expect(missing).toContain('database');
    expect(reasons.database).toContain('The database is read-only');
  } finally {
    await readOnly.close();
    await database.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
  }
});

test('a database without free connections is named with its reason', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(`create role crowded_${name} login password 'crowded' connection limit 0`);
  const url = Object.assign(new URL(database.url), { username: `crowded_${name}`, password: 'crowded' });
  const crowded = withSql(openDatabase(url.href, 2));
  try {
    await expect(crowded.sql`select 1`).rejects.toMatchObject({ code: '53300' });
    const { missing, reasons } = await readiness({ database: crowded });
    expect(missing).toContain('database');
    expect(reasons.database).toContain('max_connections');
  } finally {
    await crowded.close();
    await database.sql.unsafe(`drop role crowded_${name}`);
  }
});
