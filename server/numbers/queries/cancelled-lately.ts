import { and, count, eq, min, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { messages, numbers } from '#server/schema/index.ts';
import { itself, type NumberRef } from './numbers.ts';

/**
 * The messages of a number that were cancelled in the last 7 days because it was unlinked or its phone number
 * changed; null when the account has no such number.
 */
export async function findCancelledLately(db: Db, params: NumberRef) {
  const [found] = await db
    .select({
      count: count(messages.id),
      /** When the oldest of them was accepted; null if there are none. */
      oldest: min(messages.createdAt),
      /** The phone number was changed since, or is being changed. */
      changed: sql<boolean>`coalesce(${numbers.replacementPhone} is not null or max(${messages.settledAt}) <= ${numbers.linkedAt}, false)`,
    })
    .from(numbers)
    .leftJoin(
      messages,
      and(
        eq(messages.numberId, numbers.id),
        eq(messages.status, 'cancelled'),
        eq(messages.errorCode, 'unlinked'),
        sql`${messages.settledAt} > clock_timestamp() - interval '7 days'`,
      ),
    )
    .where(itself(params))
    .groupBy(numbers.id);
  return found ?? null;
}
