import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/** Phones that a caller wants WhatsApp to be asked about: the queue, and what counts in the limit. */
export const recipientChecks = pgTable(
  'recipient_checks',
  {
    numberId: ofNumber(),
    digits: text('digits').notNull(),
    askedAt: instant('asked_at').notNull().default(sql`clock_timestamp()`),
    /** How many look-ups it counts as in the limit. */
    asks: integer('asks').notNull().default(1),
    /** When it was looked up, or given up; null while it waits. */
    settledAt: instant('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.numberId, t.digits] }),
    // The limit of a day, and retention.
    index('recipient_checks_asked').on(t.numberId, t.askedAt),
    // Unanswered checks.
    index('recipient_checks_waiting').on(t.numberId, t.askedAt).where(sql`settled_at is null`),
  ],
);
