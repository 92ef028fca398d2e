import path from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as apply } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import journal from '../../drizzle/meta/_journal.json' with { type: 'json' };
import type { Database } from './client.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../drizzle');
/** Any number, as long as every process uses the same. */
const LOCK = 7_270_011;

/** When the newest migration of this code was made, in ms. */
export const NEWEST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when));

/** Brings the schema up to date, forwards only. Safe to call from several processes at once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 5 });
  try {
    await sql`select pg_advisory_lock(${LOCK})`;
    await apply(drizzle(sql), { migrationsFolder: MIGRATIONS });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** How many migrations this code brings that the database does not have yet. */
export async function findPendingMigrations(database: Database): Promise<number> {
  const [exists] = await database.sql<{ known: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as known`;
  if (!exists?.known) return journal.entries.length;
  const [row] = await database.sql<{ newest: number }[]>`
    select coalesce(max(created_at), 0)::float8 as newest from drizzle.__drizzle_migrations`;
  return journal.entries.filter(({ when }) => when > (row?.newest ?? 0)).length;
}
