import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' };
import type { Database, Db } from './client.ts';
import { openUnlimited } from './pool.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../../drizzle');
/** Any number, as long as every process uses the same. */
export const LOCK = 7_270_011;

/** When the newest migration of this code was made, in ms. */
export const NEWEST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when));

/** When the first one was made: also the newest one of the versions before it, which made the same schema in steps. */
export const OLDEST_MIGRATION = Math.min(...journal.entries.map(({ when }) => when));

/** The schema belongs to a version from before the first release, and no step leads from it to this version's. */
export class OlderSchemaError extends Error {
  override readonly name = 'OlderSchemaError';
  constructor() {
    super(
      'The database has a schema from before the first release of Wirebird, which this version cannot bring up to date. Start commit 03aab958 once, then this version.',
    );
  }
}

/** The schema belongs to a later version, and this version may not understand it. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
  constructor() {
    super(
      'A newer version of Wirebird has been started on this database, and this version does not know its schema. Start the newer version; to go back, restore a backup that was made before the upgrade.',
    );
  }
}

/** Another session holds a lock that a migration needs, and does not release it. */
export class SchemaLockedError extends Error {
  override readonly name = 'SchemaLockedError';
}

/** Runs `work` on a connection whose statements find our tables and take as long as they need, whatever the database's defaults. */
export async function withoutLimits<T>(databaseUrl: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, end } = openUnlimited(databaseUrl);
  try {
    return await work(db);
  } finally {
    await end();
  }
}

export interface MigrateOptions {
  /** How long it waits for a lock of another session. */
  patienceMs?: number;
  /** Called once for each session that it waits for. */
  onWaiting?: (what: string) => void;
  /** Migrations of a version to come, for tests. */
  later?: readonly MigrationMeta[];
}

/**
 * Brings the schema up to date, forwards only. Safe to call from several processes at once, and while processes of the
 * previous version send: each migration is a transaction of its own and holds no lock longer than it needs. Throws
 * {@link NewerSchemaError} when the schema is ahead of this code, {@link OlderSchemaError} when it is too old,
 * {@link SchemaLockedError} when a lock does not become free.
 */
export function migrate(
  databaseUrl: string,
  { patienceMs = 60_000, onWaiting = () => {}, later = [] }: MigrateOptions = {},
): Promise<void> {
  return withoutLimits(databaseUrl, async (db) => {
    // There may be no schema yet, so this takes an advisory lock, and `newestMigration` asks the catalog first.
    await takeTurn(db, onWaiting);
    const newest = (await newestMigration(db)) ?? 0;
    if (newest > NEWEST_MIGRATION) throw new NewerSchemaError();
    if (newest > 0 && newest < OLDEST_MIGRATION) throw new OlderSchemaError();
    await db.run(sql`create schema if not exists drizzle`);
    await db.run(sql`
      create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
    for (const migration of [...readMigrationFiles({ migrationsFolder: MIGRATIONS }), ...later])
      if (migration.folderMillis > newest)
        await applyPatiently(db, { databaseUrl, migration, patienceMs, onWaiting });
  });
}

const ASK_EVERY_MS = 250;
/** Processes that start together wait for each other for a moment, which is not worth a line. */
const ASKS_BEFORE_REPORT = 8;

/** Waits until no other process migrates. */
async function takeTurn(db: Db, onWaiting: (what: string) => void): Promise<void> {
  for (let asks = 1; ; asks++) {
    const [row] = await db.run<{ taken: boolean }>(sql`select pg_try_advisory_lock(${LOCK}) as taken`);
    if (row?.taken) return;
    if (asks === ASKS_BEFORE_REPORT) {
      const [holder] = await db.run<{ session: string }>(sql`
        select concat(a.pid, ' from ' || host(a.client_addr)) as session from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.classid = 0 and l.objid = ${LOCK}
          and l.database = (select oid from pg_database where datname = current_database())`);
      onWaiting(
        `Database session ${holder?.session ?? '(ended)'} is bringing the schema up to date; waiting for it`,
      );
    }
    await delay(ASK_EVERY_MS);
  }
}

/**
 * A process that needs a table waits behind a migration that waits for it. So the migration gives up its turn, before PostgreSQL
 * looks for deadlocks after one second, and tries again.
 */
const TURN_MS = 500;
const PAUSE_MS = 1000;
const LOOK_EVERY_MS = 25;
/** SQLSTATE: no lock within `lock_timeout`, and a deadlock. */
const GAVE_WAY = new Set(['55P03', '40P01']);

interface Migrating extends Required<Omit<MigrateOptions, 'later'>> {
  databaseUrl: string;
  migration: MigrationMeta;
}

async function applyPatiently(db: Db, { databaseUrl, migration, patienceMs, onWaiting }: Migrating) {
  const until = performance.now() + patienceMs;
  for (let turns = 1; performance.now() < until; turns++) {
    if ((await tryOnce(db, migration)) === 'done') return;
    if (turns === 1)
      onWaiting(
        `The schema is being brought up to date; waiting up to ${Math.ceil(patienceMs / 1000)} s for a table that another database session has locked`,
      );
    await delay(PAUSE_MS);
  }
  await withoutLimits(databaseUrl, (other) => tryLast(db, other, migration));
}

/** One more turn, watched from another connection: PostgreSQL knows who blocks a session only while it waits. */
async function tryLast(db: Db, other: Db, migration: MigrationMeta): Promise<void> {
  const [self] = await db.run<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  // Connects, so that the turn is not over before the first look.
  await other.run(sql`select 1`).catch(() => {});
  const turn = tryOnce(db, migration);
  const blocker = await findBlocker(other, self?.pid ?? 0, turn);
  const last = await turn;
  if (last !== 'done') throw new SchemaLockedError(sentenceOf(blocker), { cause: last.gaveWay });
}

async function tryOnce(db: Db, migration: MigrationMeta): Promise<'done' | { gaveWay: unknown }> {
  try {
    await db.transaction(async (tx) => {
      await tx.run(sql`set local lock_timeout = ${TURN_MS}`.inlineParams());
      for (const statement of migration.sql) await tx.run(sql.raw(statement));
      await tx.run(sql`
        insert into drizzle.__drizzle_migrations (hash, created_at)
        values (${migration.hash}, ${migration.folderMillis})`);
    });
    return 'done';
  } catch (error) {
    if (!GAVE_WAY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { gaveWay: error };
  }
}

interface Blocker {
  pid: number;
  application: string;
}

/** Who blocks session `pid` until its turn ends; null if nobody was seen. */
async function findBlocker(other: Db, pid: number, turn: Promise<unknown>): Promise<Blocker | null> {
  let blocker: Blocker | null = null;
  const ended = turn.then(
    () => true,
    () => true,
  );
  do {
    const rows = await other
      .run<Blocker>(sql`
      select a.pid, coalesce(a.application_name, '') as application
      from pg_stat_activity a where a.pid = any(pg_blocking_pids(${pid}))
      order by a.xact_start limit 1`)
      .catch(() => []);
    blocker = rows[0] ?? blocker;
  } while (!(await Promise.race([ended, delay(LOOK_EVERY_MS, false)])));
  return blocker;
}

function sentenceOf(blocker: Blocker | null): string {
  if (!blocker)
    return 'The schema cannot be migrated, because another database session holds a lock on a table. End that session’s transaction, then start again.';
  const { pid, application } = blocker;
  const session = application ? `session ${pid} (${application})` : `session ${pid}`;
  return `The schema cannot be migrated, because database ${session} holds a lock on a table. End its transaction there or with "select pg_terminate_backend(${pid})", then start again.`;
}

/** How many of this code's migrations the database lacks; negative if the database is ahead. */
export async function findPendingMigrations(database: Database): Promise<number> {
  const newest = (await newestMigration(database.db)) ?? 0;
  if (newest > NEWEST_MIGRATION) return -1;
  if (newest > 0 && newest < OLDEST_MIGRATION) throw new OlderSchemaError();
  return journal.entries.filter(({ when }) => when > newest).length;
}

/** When the newest migration in the database was made, in ms; 0 without migrations, null without their table. */
export async function newestMigration(db: Db): Promise<number | null> {
  const [table] = await db.run<{ known: string | null }>(sql`
    select to_regclass('drizzle.__drizzle_migrations')::text as known`);
  if (!table?.known) return null;
  const [row] = await db.run<{ newest: number }>(sql`
    select coalesce(max(created_at), 0)::float8 as newest from drizzle.__drizzle_migrations`);
  return row?.newest ?? 0;
}
