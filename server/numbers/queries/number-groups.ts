import { and, eq, isNull, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { msSince } from '#server/platform/db/expressions.ts';
import { numberGroups, numbers } from '#server/schema/index.ts';
import type { NumberRef } from './numbers.ts';

/** A number's groups as last listed; null when its owner has not asked yet. */
export async function findGroups(db: Db, params: NumberRef) {
  const [row] = await db
    .select({
      ...pick(numberGroups, 'answeredAt', 'groups', 'error'),
      askedMsAgo: sql<number>`${msSince(numberGroups.askedAt)}`,
    })
    .from(numberGroups)
    .innerJoin(numbers, eq(numbers.id, numberGroups.numberId))
    .where(
      and(
        eq(numbers.id, params.numberId),
        eq(numbers.accountId, params.accountId),
        isNull(numbers.removedAt),
      ),
    );
  return row ?? null;
}

export async function askForGroups(db: Db, params: NumberRef): Promise<void> {
  // The builder's insert from a select would have to name every column.
  await db.run(sql`
    insert into number_groups (number_id, asked_at)
    select n.id, clock_timestamp() from numbers n where n.id = ${params.numberId} and n.account_id = ${params.accountId}
    on conflict (number_id) do update set asked_at = excluded.asked_at, answered_at = null, error = null`);
}
