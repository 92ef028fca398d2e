import { date, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';
import { users } from './users.ts';

/** An account's plan, as the administrator enabled it. */
export const subscriptions = pgTable('subscriptions', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  numbersIncluded: integer('numbers_included').notNull(),
  /** Last day paid for, in the installation's time zone. */
  paidUntil: date('paid_until', { mode: 'string' }).notNull(),
  /** Ended by hand; acts at once. */
  endedAt: instant('ended_at'),
  note: text('note'),
  updatedAt: instant('updated_at').notNull(),
});

/** Payments as the administrator recorded them. */
export const payments = pgTable(
  'payments',
  {
    id: publicId(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    amountCents: integer('amount_cents'),
    numbersIncluded: integer('numbers_included').notNull(),
    paidUntil: date('paid_until', { mode: 'string' }).notNull(),
    note: text('note'),
    /** The day on which it arrived, as the administrator entered it. */
    paidOn: date('paid_on', { mode: 'string' }),
    /** What the bank or the invoice calls it. */
    reference: text('reference'),
    recordedBy: text('recorded_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  // An account's payments, newest first.
  (t) => [index('payments_of_account').on(t.accountId, t.createdAt)],
);
