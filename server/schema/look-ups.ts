import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Address } from '#server/core/recipient.ts';
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
    /** Where WhatsApp knows this person, if that is not the phone number that was asked for. */
    address: text('address').$type<Address>(),
  },
  // The remembered answer of a number about one phone.
  (t) => [
    uniqueIndex('look_ups_key').on(t.numberId, t.digits),
    // The other forms of a person's number.
    index('look_ups_address').on(t.numberId, t.address).where(sql`address is not null`),
    // What is older than its account keeps it.
    index('look_ups_at').on(t.numberId, t.at),
  ],
);
