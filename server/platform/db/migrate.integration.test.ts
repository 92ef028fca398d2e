import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { makeEarlierSchema } from '#server/testing/earlier-schema.ts';
import { findPendingMigrations, LOCK, migrate, SchemaLockedError } from './migrate.ts';

let database: TestDatabase;
/** Another process of an earlier version. */
let other: postgres.Sql;
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  const connection = { application_name: 'other', statement_timeout: 5_000 };
  other = postgres(database.url, { max: 2, onnotice: () => {}, connection });
});
afterEach(async () => {
  await other.end({ timeout: 0 });
  await database.drop();
});

/** Resolves once a migration waits for a lock on this table. */
const untilMigrationWaits = (table: string) =>
  expect
    .poll(
      () => database.sql`
        select 1 from pg_locks where not granted and locktype = 'relation' and relation = ${table}::regclass`,
      { interval: 10, timeout: 10_000 },
    )
    .toHaveLength(1);

test('messages are written while a migration waits for a transaction that has written messages', async () => {
  await makeEarlierSchema(database.url, '0040');
  const writes = await other.reserve();
  await writes`begin`;
  await writes`lock table messages in row exclusive mode`;
  const migrated = migrate(database.url);
  await untilMigrationWaits('messages');
  await other`update messages set reference = null where false`;
  await writes`rollback`;
  writes.release();
  await migrated;
  expect(await findPendingMigrations(database)).toBe(0);
});

test('a migration gives way to a transaction that waits for it, and is then made', async () => {
  await makeEarlierSchema(database.url, '0046');
  await other
    .begin(async (writes) => {
      await writes`lock table messages in row exclusive mode`;
      const migrated = migrate(database.url);
      // By now it has locked the audit log.
      await untilMigrationWaits('messages');
      await writes`lock table audit_log in row exclusive mode`;
      return { migrated };
    })
    .then(({ migrated }) => migrated);
  expect(await findPendingMigrations(database)).toBe(0);
});

test('messages are written while a migration waits for the audit log, which a backup reads', async () => {
  await makeEarlierSchema(database.url, '0046');
  const backup = await other.reserve();
  await backup`begin`;
  await backup`lock table audit_log in access share mode`;
  const migrated = migrate(database.url);
  await untilMigrationWaits('audit_log');
  const locks = await database.sql`
    select mode from pg_locks where relation = 'messages'::regclass and mode = 'ShareLock'`;
  expect(locks).toEqual([]);
  await backup`rollback`;
  backup.release();
  await migrated;
  expect(await findPendingMigrations(database)).toBe(0);
});

test('each migration frees its tables before the next one begins', async () => {
  await makeEarlierSchema(database.url, '0040');
  await other
    .begin(async (writes) => {
      await writes`lock table processes in row exclusive mode`;
      const migrated = migrate(database.url);
      await untilMigrationWaits('processes');
      await other`update messages set reference = null where false`;
      return { migrated };
    })
    .then(({ migrated }) => migrated);
  expect(await findPendingMigrations(database)).toBe(0);
});

test('a lock that is never released ends the migration, and the error names the session that holds it', async () => {
  await makeEarlierSchema(database.url, '0043');
  await other.begin(async (older) => {
    await older`select from accounts`;
    await other.begin(async (reads) => {
      const [row] = await reads<
        { pid: number }[]
      >`select pg_backend_pid() as pid from requests right join (select 1) one on true`;
      await expect(migrate(database.url, { patienceMs: 0 })).rejects.toThrow(
        new SchemaLockedError(
          `The schema cannot be migrated, because database session ${row?.pid} (other) holds a lock on a table. End its transaction there or with "select pg_terminate_backend(${row?.pid})", then start again.`,
        ),
      );
    });
  });
  await migrate(database.url);
  expect(await findPendingMigrations(database)).toBe(0);
});

test('the migrations accept the same parameters in the URL as all other connections', async () => {
  await migrate(`${database.url}?channel_binding=prefer&gssencmode=disable&keepalives=1`);
  expect(await findPendingMigrations(database)).toBe(0);
});

test('a process that waits while another one migrates reports it once, with the other’s session', async () => {
  const waits: string[] = [];
  const holder = await other.reserve();
  const [held] = await holder`select pg_advisory_lock(${LOCK}), pg_backend_pid() as pid`;
  const migrated = migrate(database.url, { onWaiting: (what) => waits.push(what) });
  await expect.poll(() => waits, { interval: 50, timeout: 10_000 }).toHaveLength(1);
  await holder`select pg_advisory_unlock(${LOCK})`;
  holder.release();
  await migrated;
  expect(waits).toEqual([
    `Database session ${held?.pid} from 127.0.0.1 is bringing the schema up to date; waiting for it`,
  ]);
  expect(await findPendingMigrations(database)).toBe(0);
});

test('a migration that waits for a locked table reports it once', async () => {
  await makeEarlierSchema(database.url, '0040');
  const waits: string[] = [];
  const writes = await other.reserve();
  await writes`begin`;
  await writes`lock table messages in row exclusive mode`;
  const migrated = migrate(database.url, { onWaiting: (what) => waits.push(what) });
  await expect.poll(() => waits, { interval: 50, timeout: 10_000 }).toHaveLength(1);
  await writes`rollback`;
  writes.release();
  await migrated;
  expect(waits).toEqual([expect.stringContaining('waiting up to 60 s for a table')]);
});
