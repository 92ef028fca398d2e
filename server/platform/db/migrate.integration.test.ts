import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import {
  findPendingMigrations,
  LOCK,
  migrate,
  NEWEST_MIGRATION,
  OLDEST_MIGRATION,
  OlderSchemaError,
  SchemaLockedError,
} from './migrate.ts';

let database: TestDatabase;
/** Another process of an earlier version. */
let other: postgres.Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  const connection = { application_name: 'other', statement_timeout: 5_000 };
  other = postgres(database.url, { max: 2, onnotice: () => {}, connection });
});
afterEach(async () => {
  await other.end({ timeout: 0 });
  await database.drop();
});

/** Migrations of the next version, one for each list of statements. */
const later = (...migrations: string[][]) =>
  migrations.map((sql, n) => ({ sql, folderMillis: NEWEST_MIGRATION + 1 + n, hash: `${n}`, bps: true }));
const WIDER_MESSAGES = ['alter table messages add column next text'];

/** Which tables have the next version's column. */
const migratedTables = async () =>
  (
    await database.sql<{ name: string }[]>`
      select table_name as name from information_schema.columns where column_name = 'next' order by 1`
  ).map(({ name }) => name);

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
  const writes = await other.reserve();
  await writes`begin`;
  await writes`lock table messages in row exclusive mode`;
  const migrated = migrate(database.url, { later: later(WIDER_MESSAGES) });
  await untilMigrationWaits('messages');
  await other`update messages set reference = null where false`;
  await writes`rollback`;
  writes.release();
  await migrated;
  expect(await migratedTables()).toEqual(['messages']);
});

test('a migration gives way to a transaction that waits for it, and is then made', async () => {
  const wider = ['alter table audit_log add column next text', ...WIDER_MESSAGES];
  await other
    .begin(async (writes) => {
      await writes`lock table messages in row exclusive mode`;
      const migrated = migrate(database.url, { later: later(wider) });
      // By now it has locked the audit log.
      await untilMigrationWaits('messages');
      await writes`lock table audit_log in row exclusive mode`;
      return { migrated };
    })
    .then(({ migrated }) => migrated);
  expect(await migratedTables()).toEqual(['audit_log', 'messages']);
});

test('each migration frees its tables before the next one begins', async () => {
  const migrations = later(WIDER_MESSAGES, ['alter table processes add column next text']);
  await other
    .begin(async (writes) => {
      await writes`lock table processes in row exclusive mode`;
      const migrated = migrate(database.url, { later: migrations });
      await untilMigrationWaits('processes');
      await other`update messages set reference = null where false`;
      return { migrated };
    })
    .then(({ migrated }) => migrated);
  expect(await migratedTables()).toEqual(['messages', 'processes']);
});

test('a lock that is never released ends the migration, and the error names the session that holds it', async () => {
  const migrations = later(['alter table requests add column next text']);
  await other.begin(async (older) => {
    await older`select from accounts`;
    await other.begin(async (reads) => {
      const [row] = await reads<
        { pid: number }[]
      >`select pg_backend_pid() as pid from requests right join (select 1) one on true`;
      await expect(migrate(database.url, { later: migrations, patienceMs: 0 })).rejects.toThrow(
        new SchemaLockedError(
          `The schema cannot be migrated, because database session ${row?.pid} (other) holds a lock on a table. End its transaction there or with "select pg_terminate_backend(${row?.pid})", then start again.`,
        ),
      );
    });
  });
  await migrate(database.url, { later: migrations });
  expect(await migratedTables()).toEqual(['requests']);
});

test('the migrations accept the same parameters in the URL as all other connections', async () => {
  await migrate(`${database.url}?channel_binding=prefer&gssencmode=disable&keepalives=1`, {
    later: later(WIDER_MESSAGES),
  });
  expect(await migratedTables()).toEqual(['messages']);
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
  const waits: string[] = [];
  const writes = await other.reserve();
  await writes`begin`;
  await writes`lock table messages in row exclusive mode`;
  const migrated = migrate(database.url, {
    later: later(WIDER_MESSAGES),
    onWaiting: (what) => waits.push(what),
  });
  await expect.poll(() => waits, { interval: 50, timeout: 10_000 }).toHaveLength(1);
  await writes`rollback`;
  writes.release();
  await migrated;
  expect(waits).toEqual([expect.stringContaining('waiting up to 60 s for a table')]);
});

/** The migrations that a database of a version before the first release has. */
const putMigrations = async (...times: number[]) => {
  await database.sql`truncate drizzle.__drizzle_migrations`;
  for (const at of times)
    await database.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('step', ${at})`;
};

test('a database of the last version before the first release has the schema of the baseline', async () => {
  await putMigrations(OLDEST_MIGRATION - 1, OLDEST_MIGRATION, NEWEST_MIGRATION);
  await database.sql`insert into accounts (id, name) values ('acc_1', 'Heron')`;
  expect(await findPendingMigrations(database)).toBe(0);
  await migrate(database.url, { later: later(WIDER_MESSAGES) });
  expect(await migratedTables()).toEqual(['messages']);
  expect(await database.sql`select id from accounts`).toEqual([{ id: 'acc_1' }]);
});

test('a database of an earlier one is refused, and nothing in it changes', async () => {
  await putMigrations(OLDEST_MIGRATION - 2, OLDEST_MIGRATION - 1);
  await expect(migrate(database.url, { later: later(WIDER_MESSAGES) })).rejects.toThrow(OlderSchemaError);
  expect(await migratedTables()).toEqual([]);
});
