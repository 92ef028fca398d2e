import { eq, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { accounts } from '#server/schema/index.ts';

/** The time zone of an account's kept counts; null before the first count, and without an account. */
export async function findCountsTimeZone(db: Db, params: { accountId: string }): Promise<string | null> {
  const [found] = await db
    .select({ timeZone: sql<string | null>`coalesce(${accounts.countsTimeZone}, ${accounts.timeZone})` })
    .from(accounts)
    .where(eq(accounts.id, params.accountId));
  return found?.timeZone ?? null;
}

/** What members may change of their account; null when there is no such account. */
export async function findAccountSettings(db: Db, params: { accountId: string }) {
  const [found] = await db
    .select(pick(accounts, 'name', 'timeZone'))
    .from(accounts)
    .where(eq(accounts.id, params.accountId));
  return found ?? null;
}

/** Changes the settings that are given. */
export async function updateAccountSettings(
  db: Db,
  params: { accountId: string; set: Partial<Pick<typeof accounts.$inferInsert, 'name' | 'timeZone'>> },
): Promise<void> {
  await db.update(accounts).set(params.set).where(eq(accounts.id, params.accountId));
}

/** Whether the database knows this time zone. */
export async function hasTimeZone(db: Db, params: { timeZone: string }): Promise<boolean> {
  // PostgreSQL's own list, which no schema of ours describes.
  const rows = await db.run(sql`select from pg_timezone_names where name = ${params.timeZone}`);
  return rows.length > 0;
}
