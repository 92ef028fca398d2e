import { and, eq, gt, isNull, ne, notExists, sql } from 'drizzle-orm';
import { TRIAL } from '#server/core/trial.ts';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { messages, numbers, subscriptions } from '#server/schema/index.ts';

/** How many messages an account has created in the last 24 hours. */
export async function countDay(db: Db, params: { accountId: string }): Promise<number> {
  return db.$count(
    messages,
    and(
      eq(messages.accountId, params.accountId),
      gt(messages.createdAt, sql`clock_timestamp() - interval '1 day'`),
    ),
  );
}

/**
 * How many other trial numbers of the installation are in use. Locks the count until the transaction ends, so that
 * two callers do not both take the last place.
 */
export async function countOtherTrials(tx: Tx, params: { numberId: string }): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('wirebird trials', 0))`);
  return tx.$count(
    numbers,
    and(
      ne(numbers.id, params.numberId),
      isNull(numbers.removedAt),
      ne(numbers.intent, 'idle'),
      gt(numbers.trialActiveAt, sql`clock_timestamp() - ${TRIAL.idleMinutes} * interval '1 minute'`),
      notExists(tx.select().from(subscriptions).where(eq(subscriptions.accountId, numbers.accountId))),
    ),
  );
}

/** Records that an account without a plan uses the number now. */
export async function noteTrialUse(db: Db, params: { accountId: string; numberId: string }): Promise<void> {
  await db
    .update(numbers)
    .set({ trialActiveAt: now })
    .where(and(eq(numbers.id, params.numberId), eq(numbers.accountId, params.accountId)));
}
