import { eq, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import { anyOf, msAgo } from '#server/platform/db/expressions.ts';
import { attempts } from '#server/schema/index.ts';

/** Attempts that are counted together, and how they are slowed down. */
export interface Attempts {
  key: string;
  /** How many attempts are free of a wait. */
  free: number;
  /** The wait after the last free attempt; each further attempt doubles it. */
  firstWaitSeconds: number;
  mostWaitSeconds: number;
}

/** A day after the last attempt the count starts again. */
const FORGOTTEN_SECONDS = 86_400;

/**
 * Takes one attempt, exact over all processes, and returns how many there are now. Null, without a change, while
 * the wait after an earlier one lasts ({@link waitSeconds}).
 */
export async function takeAttempt(database: Database, params: Attempts): Promise<number | null> {
  const { key, free, firstWaitSeconds, mostWaitSeconds } = params;
  // SQL: count and wait refer to the earlier row by an alias, which the builder's insert does not have.
  const counted = sql`(case when a.updated_at < clock_timestamp() - ${FORGOTTEN_SECONDS}::int * interval '1 second' then 1 else a.count + 1 end)`;
  // Without a wait the time is past, because the column rounds to milliseconds. The exponent is bounded against
  // overflow.
  const wait = (count: typeof counted) => sql`(interval '1 second' * case when ${count} < ${free}::int then -1
    else least(${mostWaitSeconds}::float8, ${firstWaitSeconds}::float8 * power(2, least(${count} - ${free}::int, 30))) end)`;
  const [row] = await database.db.run<{ count: number }>(sql`
    insert into attempts as a (key, count, wait_until, updated_at)
    values (${key}, 1, clock_timestamp() + ${wait(sql`1`)}, clock_timestamp())
    on conflict (key) do update set count = ${counted}, updated_at = clock_timestamp(),
      wait_until = clock_timestamp() + ${wait(counted)}
      where a.wait_until <= clock_timestamp()
    returning count`);
  return row?.count ?? null;
}

/** How long until the next attempt is taken. */
export async function waitSeconds(database: Database, params: { key: string }): Promise<number> {
  const left = sql<number>`greatest(0, extract(epoch from ${attempts.waitUntil} - clock_timestamp()))::float8`;
  const [row] = await database.db
    .select({ seconds: left })
    .from(attempts)
    .where(eq(attempts.key, params.key));
  return row?.seconds ?? 0;
}

/** Takes back an attempt that does not count, with its wait. */
export async function returnAttempt(database: Database, params: { key: string }): Promise<void> {
  await database.db
    .update(attempts)
    .set({ count: sql`greatest(0, ${attempts.count} - 1)`, waitUntil: msAgo(1000) })
    .where(eq(attempts.key, params.key));
}

export async function forgetAttempts(database: Database, params: { keys: readonly string[] }): Promise<void> {
  await database.db.delete(attempts).where(anyOf(attempts.key, params.keys));
}
