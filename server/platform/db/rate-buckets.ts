import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';

export interface Bucket {
  key: string;
  /** New tokens per second. */
  perSecond: number;
  capacity: number;
}

/**
 * Takes all `wanted` tokens or none, in one statement, exact across all processes. `tokens` is what remains. If
 * there are too few, `taken` is false and nothing is written, so that a refused flood costs only reads.
 */
export async function takeTokens(
  database: Database,
  bucket: Bucket,
  wanted = 1,
): Promise<{ taken: boolean; tokens: number }> {
  const { key, perSecond, capacity } = bucket;
  // SQL, because the query builder cannot express a conditional upsert that also reports a refusal. `abs`: after the
  // clock was set back, an empty bucket would not fill until the clock has caught up.
  const [row] = await database.db.run<{ taken: boolean; tokens: number }>(sql`
    with filled as (
      insert into rate_buckets as b (key, tokens, updated_at)
      select ${key}, ${capacity}::float8 - ${wanted}::float8, clock_timestamp()
      where ${capacity}::float8 >= ${wanted}::float8 and not exists (
        select from rate_buckets e where e.key = ${key}
          and e.tokens + ${perSecond}::float8 * abs(extract(epoch from clock_timestamp() - e.updated_at)) < ${wanted}::float8)
      on conflict (key) do update set
        tokens = least(${capacity}::float8, b.tokens + ${perSecond}::float8 * abs(extract(epoch from clock_timestamp() - b.updated_at))) - ${wanted}::float8,
        updated_at = clock_timestamp()
        where least(${capacity}::float8, b.tokens + ${perSecond}::float8 * abs(extract(epoch from clock_timestamp() - b.updated_at))) >= ${wanted}::float8
      returning tokens)
    select true as taken, tokens from filled
    union all
    select false, least(${capacity}::float8, b.tokens + ${perSecond}::float8 * abs(extract(epoch from clock_timestamp() - b.updated_at)))
      from rate_buckets b where b.key = ${key} and not exists (select from filled)`);
  return row ?? { taken: false, tokens: 0 };
}

/** Takes `spent` tokens after the fact (the balance may become negative) and returns what is left. */
export async function spendTokens(database: Database, bucket: Bucket, spent: number): Promise<number> {
  const { key, perSecond, capacity } = bucket;
  // SQL, because it shares the arithmetic above.
  const [row] = await database.db.run<{ tokens: number }>(sql`
    insert into rate_buckets as b (key, tokens, updated_at) values (${key}, ${capacity}::float8 - ${spent}::float8, clock_timestamp())
    on conflict (key) do update set
      tokens = greatest(-${capacity}::float8,
        least(${capacity}::float8, b.tokens + ${perSecond}::float8 * abs(extract(epoch from clock_timestamp() - b.updated_at))) - ${spent}::float8),
      updated_at = clock_timestamp()
    returning tokens`);
  return row?.tokens ?? 0;
}
