import { date, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { createdAt, publicId } from './columns.ts';
import { users } from './users.ts';

/** A payment as the administrator recorded it. */
export const payments = pgTable(
  'payments',
  {
    id: publicId(),
    accountId: ofAccount(),
    /** Null when no amount was entered. */
    amountCents: integer('amount_cents'),
    numbersIncluded: integer('numbers_included').notNull(),
    paidUntil: date('paid_until', { mode: 'string' }).notNull(),
    note: text('note'),
    /** The day it arrived, as the administrator entered it, `YYYY-MM-DD`; null when none was entered. */
    paidOn: date('paid_on', { mode: 'string' }),
    /** The bank's or the invoice's reference. */
    reference: text('reference'),
    recordedBy: text('recorded_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  // An account's payments, newest first.
  (t) => [index('payments_of_account').on(t.accountId, t.createdAt)],
);
