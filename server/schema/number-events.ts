import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { cause, instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/** A number's history: the states that it went through. */
export const numberEvents = pgTable(
  'number_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    numberId: ofNumber(),
    status: text('status', { enum: NUMBER_STATUSES }).notNull(),
    cause: cause('cause'),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
  },
  // A number's timeline, newest first.
  (t) => [index('number_events_of_number').on(t.numberId, t.id)],
);
