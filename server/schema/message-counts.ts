import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { ofAccount } from './accounts.ts';
import { instant } from './columns.ts';

/** What is counted of a message. A message that was delivered or read counts as `sent` and as `delivered`. */
const COUNTED_OUTCOMES = ['sent', 'delivered', 'failed', 'unknown', 'expired', 'cancelled'] as const;
export type CountedOutcome = (typeof COUNTED_OUTCOMES)[number];

/** What is counted separately. */
const counted = {
  numberId: text('number_id').notNull(),
  /** Empty when it was sent from the dashboard. */
  apiKeyId: text('api_key_id').notNull(),
  type: text('type', { enum: MESSAGE_TYPES }).notNull(),
  outcome: text('outcome', { enum: COUNTED_OUTCOMES }).notNull(),
};

/**
 * How many messages that were accepted in an hour or a day have each outcome, without what `message_count_deltas`
 * holds. Hours and days begin in `accounts.counts_time_zone`.
 */
export const messageCounts = pgTable(
  'message_counts',
  {
    accountId: ofAccount(),
    unit: text('unit', { enum: ['hour', 'day'] }).notNull(),
    /** When the hour or day began. */
    at: instant('at').notNull(),
    ...counted,
    count: integer('count').notNull(),
  },
  (t) => [
    // The figures of an account in a range of time.
    primaryKey({
      name: 'message_counts_pk',
      columns: [t.accountId, t.unit, t.at, t.numberId, t.apiKeyId, t.type, t.outcome],
    }),
  ],
);

/**
 * Changes of the counts, written by a trigger on `messages` in the transaction of each change, until they are added
 * to `message_counts`. Without foreign keys, which would cost each message a look-up.
 */
export const messageCountDeltas = pgTable('message_count_deltas', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  accountId: text('account_id').notNull(),
  ...counted,
  /** When the message was accepted. */
  createdAt: instant('created_at').notNull(),
  amount: integer('amount').notNull(),
});
