import path from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as apply } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' };
import type { Database } from './client.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../../drizzle');
/** Any number, as long as every process uses the same. */
export const LOCK = 7_270_011;

/** When the newest migration of this code was made, in ms. */
export const NEWEST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when));

/** The schema belongs to a later version, and this version may not understand it. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
  constructor() {
    super(
      'A newer version of Wirebird has been started on this database, and this version does not know its schema. Start the newer version; to go back, restore a backup that was made before the upgrade.',
    );
  }
}

/** Runs `work` on a connection whose statements find our tables and take as long as they need, whatever the database's defaults. */
export async function withoutLimits<T>(
  databaseUrl: string,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 5 });
  try {
    await sql.unsafe(
      'set search_path = public; set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Brings the schema up to date, forwards only. Safe to call from several processes at once.
 *
 * @throws NewerSchemaError when the schema is ahead of this code.
 */
export function migrate(databaseUrl: string): Promise<void> {
  return withoutLimits(databaseUrl, async (sql) => {
    // There may be no schema yet, so this takes an advisory lock, and `newestMigration` asks the catalog first.
    await sql`select pg_advisory_lock(${LOCK})`;
    if (((await newestMigration(sql)) ?? 0) > NEWEST_MIGRATION) throw new NewerSchemaError();
    await apply(drizzle(sql), { migrationsFolder: MIGRATIONS });
  });
}

/** How many of this code's migrations the database lacks; negative if the database is ahead. */
export async function findPendingMigrations(database: Database): Promise<number> {
  const newest = (await newestMigration(database.sql)) ?? 0;
  if (newest > NEWEST_MIGRATION) return -1;
  return journal.entries.filter(({ when }) => when > newest).length;
}

/** When the newest migration in the database was made, in ms; 0 without migrations, null without their table. */
export async function newestMigration(sql: Asked): Promise<number | null> {
  const [table] = await sql<{ known: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as known`;
  if (!table?.known) return null;
  const [row] = await sql<{ newest: number }[]>`
    select coalesce(max(created_at), 0)::float8 as newest from drizzle.__drizzle_migrations`;
  return row?.newest ?? 0;
}

/** What our driver and the migrations' driver have in common. */
type Asked = <Rows extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...values: never[]
) => PromiseLike<Rows>;
