import { sql } from 'drizzle-orm';
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { createdAt, publicId } from './columns.ts';
import { payments } from './payments.ts';
import { users } from './users.ts';

/** A customer's request for a plan, until the administrator enables one. */
export const planRequests = pgTable(
  'plan_requests',
  {
    id: publicId(),
    accountId: ofAccount(),
    /** How many phone numbers the plan should include. */
    numbers: integer('numbers').notNull(),
    /** A name, phone number or email address, as the customer typed it. */
    contact: text('contact').notNull(),
    note: text('note').notNull(),
    requestedBy: text('requested_by').references(() => users.id, { onDelete: 'set null' }),
    /** The change of the plan that answered it; null while it is open. */
    paymentId: text('payment_id').references(() => payments.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  // An account has one open request at most.
  (t) => [uniqueIndex('plan_requests_open').on(t.accountId).where(sql`payment_id is null`)],
);
