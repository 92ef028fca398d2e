import { and, asc, desc, eq, gt, isNull } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { accounts, payments, users } from '#server/schema/index.ts';

const paymentRow = {
  ...pick(payments, 'id', 'amountCents', 'numbersIncluded', 'paidUntil', 'note', 'paidOn', 'reference'),
  /** Null when it was recorded by the command line. */
  recordedByEmail: users.email,
  createdAt: payments.createdAt,
};

export interface AnyPaymentRow extends PaymentRow {
  accountId: string;
  accountName: string;
}

/** The payments of all accounts after `after`, oldest first. */
export function listAllPaymentRows(
  db: Db,
  params: { after: string; limit: number },
): Promise<AnyPaymentRow[]> {
  return db
    .select({ ...paymentRow, accountId: accounts.id, accountName: accounts.name })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .leftJoin(users, eq(users.id, payments.recordedBy))
    .where(and(gt(payments.id, params.after), isNull(accounts.deletedAt)))
    .orderBy(asc(payments.id))
    .limit(params.limit);
}

/** An account's payments as they were recorded, newest first. */
export function listPaymentRows(db: Db, params: { accountId: string; limit: number }) {
  return db
    .select(paymentRow)
    .from(payments)
    .leftJoin(users, eq(users.id, payments.recordedBy))
    .where(eq(payments.accountId, params.accountId))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(params.limit);
}

export type PaymentRow = Awaited<ReturnType<typeof listPaymentRows>>[number];
