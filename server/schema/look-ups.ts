import { sql } from 'drizzle-orm';
import { boolean, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/**
 * Phone numbers that a number looked up on WhatsApp. An answer counts for 7 days if found; if not found for 10
 * minutes, or 3 days on a protected number.
 */
export const lookUps = pgTable(
  'look_ups',
  {
    numberId: ofNumber(),
    digits: text('digits').notNull(),
    found: boolean('found').notNull(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
  },
  // The remembered answer of a number about one phone.
  (t) => [uniqueIndex('look_ups_key').on(t.numberId, t.digits)],
);
