import type { Database } from '#server/platform/db/client.ts';

/** Attempts that are counted together, and how they are slowed down. */
export interface Attempts {
  key: string;
  /** As many go without a wait. */
  free: number;
  /** After the last free one; each further attempt doubles it. */
  firstWaitSeconds: number;
  mostWaitSeconds: number;
}

/** A day after the last attempt they are forgotten. */
const FORGOTTEN_SECONDS = 86_400;

/**
 * Takes one attempt, exact over all processes: `count` is how many there are now. Null with nothing written while the
 * wait after an earlier one lasts, which {@link waitSeconds} asks for.
 */
export async function takeAttempt(database: Database, attempts: Attempts): Promise<number | null> {
  const { key, free, firstWaitSeconds, mostWaitSeconds } = attempts;
  const { sql } = database;
  const counted = sql`(case when a.updated_at < clock_timestamp() - ${FORGOTTEN_SECONDS}::int * interval '1 second' then 1 else a.count + 1 end)`;
  // Without a wait it is past, for the column rounds to milliseconds; the exponent is bounded against overflow.
  const wait = (count: typeof counted) => sql`(interval '1 second' * case when ${count} < ${free}::int then -1
    else least(${mostWaitSeconds}::float8, ${firstWaitSeconds}::float8 * power(2, least(${count} - ${free}::int, 30))) end)`;
  const [row] = await sql<{ count: number }[]>`
    insert into attempts as a (key, count, wait_until, updated_at)
    values (${key}, 1, clock_timestamp() + ${wait(sql`1`)}, clock_timestamp())
    on conflict (key) do update set count = ${counted}, updated_at = clock_timestamp(),
      wait_until = clock_timestamp() + ${wait(counted)}
      where a.wait_until <= clock_timestamp()
    returning count`;
  return row?.count ?? null;
}

/** How long until the next attempt is taken. */
export async function waitSeconds(database: Database, params: { key: string }): Promise<number> {
  const [row] = await database.sql<{ seconds: number }[]>`
    select greatest(0, extract(epoch from wait_until - clock_timestamp()))::float8 as seconds
    from attempts where key = ${params.key}`;
  return row?.seconds ?? 0;
}

/** Gives an attempt back that was none after all, with its wait. */
export async function returnAttempt(database: Database, params: { key: string }): Promise<void> {
  await database.sql`
    update attempts set count = greatest(0, count - 1), wait_until = clock_timestamp() - interval '1 second' where key = ${params.key}`;
}

export async function forgetAttempts(database: Database, params: { keys: readonly string[] }): Promise<void> {
  await database.sql`delete from attempts where key = any(${[...params.keys]})`;
}
