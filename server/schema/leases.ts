import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/**
 * Which worker may run a number's session, and when it may send next. Its own table, so that a renewal never waits
 * for an admission that locks the number's row. All times are of the database's clock.
 */
export const leases = pgTable(
  'leases',
  {
    numberId: ofNumber().primaryKey(),
    workerId: text('worker_id'),
    /** Incremented with each new holder; every write of a worker names it. */
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    expiresAt: instant('expires_at'),
    renewedAt: instant('renewed_at'),
    nextSendAt: instant('next_send_at').notNull().default(sql`'-infinity'`),
    /** How many slots were claimed; every fourth one belongs to the async lane. */
    slots: bigint('slots', { mode: 'number' }).notNull().default(0),
  },
  // A worker renews all of its leases in one statement.
  (t) => [index('leases_of_worker').on(t.workerId)],
);
