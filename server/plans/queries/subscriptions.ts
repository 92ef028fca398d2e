import { and, eq, isNull, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { accounts, payments, subscriptions } from '#server/schema/index.ts';
import { today } from './today.ts';

/** An account's plan and its use; null when there is no such account. */
export async function findSubscription(db: Db, params: { accountId: string }) {
  const [found] = await db
    .select({
      suspended: sql<boolean>`${accounts.suspendedAt} is not null`,
      now,
      /** Numbers that the plan counts: linked once and not removed. */
      numbersUsed: sql<number>`(
        select count(*)::int from numbers n
        where n.account_id = accounts.id and n.removed_at is null and n.first_linked_at is not null)`,
      // Null without a subscription.
      ...pick(subscriptions, 'numbersIncluded', 'paidUntil', 'endedAt'),
    })
    .from(accounts)
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(eq(accounts.id, params.accountId));
  return found ?? null;
}

/** The day so many days from today, `YYYY-MM-DD`, by the database's clock in the installation's time zone. */
export async function dayAfter(db: Db, params: { days: number }): Promise<string> {
  const rows = await db.run<{ day: string }>(sql`select (${today()} + ${params.days}::int)::text as day`);
  const [row] = rows;
  if (!row) throw new Error('the database does not say which day it is');
  return row.day;
}

export interface PlanTerms {
  accountId: string;
  numbersIncluded: number;
  /** `YYYY-MM-DD` */
  paidUntil: string;
  note: string | null;
}

/** Enables or changes a plan, also one that has ended. Without a note, the earlier note stays. */
export async function putSubscription(db: Db, terms: PlanTerms): Promise<void> {
  const { accountId, note, ...rest } = terms;
  const set = { ...rest, endedAt: null, updatedAt: now };
  await db
    .insert(subscriptions)
    .values({ accountId, note, ...set })
    .onConflictDoUpdate({
      target: subscriptions.accountId,
      set: note === null ? set : { note, ...set },
    });
}

/** Ends a plan immediately; false when none is running. */
export async function endSubscription(db: Db, params: { accountId: string }): Promise<boolean> {
  const { rowCount } = await db
    .update(subscriptions)
    .set({ endedAt: now, updatedAt: now })
    .where(and(eq(subscriptions.accountId, params.accountId), isNull(subscriptions.endedAt)));
  return rowCount === 1;
}

/** Records a payment as the administrator entered it. */
export async function insertPayment(
  db: Db,
  payment: Omit<typeof payments.$inferSelect, 'createdAt'>,
): Promise<void> {
  await db.insert(payments).values(payment);
}
