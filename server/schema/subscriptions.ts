import { date, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { instant } from './columns.ts';

/** An account's plan, as the administrator enabled it. */
export const subscriptions = pgTable('subscriptions', {
  accountId: ofAccount().primaryKey(),
  numbersIncluded: integer('numbers_included').notNull(),
  /** Last day paid for, in the installation's time zone. */
  paidUntil: date('paid_until', { mode: 'string' }).notNull(),
  /** When the administrator ended it; takes effect immediately. */
  endedAt: instant('ended_at'),
  note: text('note'),
  updatedAt: instant('updated_at').notNull(),
});
