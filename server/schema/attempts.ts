import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Counts attempts, such as sign-ins, whose waits grow. Names and addresses are stored as hashes only. */
export const attempts = pgTable(
  'attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    /** The next attempt is refused until then. */
    waitUntil: instant('wait_until').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  // Retention deletes the oldest counts.
  (t) => [index('attempts_updated').on(t.updatedAt)],
);
