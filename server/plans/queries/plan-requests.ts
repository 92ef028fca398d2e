import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { accountRow } from '#server/accounts/queries/accounts.ts';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { accounts, planRequests, subscriptions } from '#server/schema/index.ts';

const requestRow = pick(planRequests, 'numbers', 'contact', 'note', 'createdAt');

export type PlanRequestRow = SelectResultFields<typeof requestRow>;

const openOf = (accountId: string) =>
  and(eq(planRequests.accountId, accountId), isNull(planRequests.paymentId));

/** An account's open request. */
export async function findPlanRequest(db: Db, params: { accountId: string }): Promise<PlanRequestRow | null> {
  const [found] = await db.select(requestRow).from(planRequests).where(openOf(params.accountId));
  return found ?? null;
}

/** Makes an account's request, or changes the open one. */
export async function putPlanRequest(
  db: Db,
  params: Omit<PlanRequestRow, 'createdAt'> & { id: string; accountId: string; requestedBy: string | null },
): Promise<void> {
  const { numbers, contact, note, requestedBy } = params;
  await db.insert(planRequests).values(params).onConflictDoUpdate({
    target: planRequests.accountId,
    targetWhere: sql`payment_id is null`,
    set: { numbers, contact, note, requestedBy },
  });
}

/** Deletes an account's open request; false when there is none. */
export async function deletePlanRequest(db: Db, params: { accountId: string }): Promise<boolean> {
  const { rowCount } = await db.delete(planRequests).where(openOf(params.accountId));
  return rowCount === 1;
}

/** Closes an account's open request: a change of its plan answers it. */
export async function answerPlanRequest(
  db: Db,
  params: { accountId: string; paymentId: string },
): Promise<void> {
  await db.update(planRequests).set({ paymentId: params.paymentId }).where(openOf(params.accountId));
}

export interface AnyPlanRequestRow extends PlanRequestRow {
  accountId: string;
  accountName: string;
  /** The oldest owner's address. */
  email: string | null;
  /** The last day paid for, `YYYY-MM-DD`, and the numbers included; null without a plan that runs. */
  paidUntil: string | null;
  numbersIncluded: number | null;
}

/** The open requests of all accounts that are not suspended, oldest first. */
export function listPlanRequestRows(db: Db, params: { limit: number }): Promise<AnyPlanRequestRow[]> {
  return db
    .select({
      ...requestRow,
      accountId: accounts.id,
      accountName: accounts.name,
      email: accountRow.email,
      ...pick(subscriptions, 'paidUntil', 'numbersIncluded'),
    })
    .from(planRequests)
    .innerJoin(accounts, eq(accounts.id, planRequests.accountId))
    .leftJoin(subscriptions, and(eq(subscriptions.accountId, accounts.id), isNull(subscriptions.endedAt)))
    .where(and(isNull(planRequests.paymentId), isNull(accounts.deletedAt), isNull(accounts.suspendedAt)))
    .orderBy(asc(planRequests.createdAt), asc(planRequests.id))
    .limit(params.limit);
}
