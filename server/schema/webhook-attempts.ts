import { bigint, index, integer, json, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';

/** One request to an endpoint, for its log. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deliveryId: bigint('delivery_id', { mode: 'number' })
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** The headers that were sent. Null before they were recorded. */
    requestHeaders: json('request_headers').$type<Record<string, string>>(),
    /** The status of the answer; null when none came. */
    status: integer('status'),
    /** The beginning of the answer's body; null when none came. */
    answer: text('answer'),
    /** What went wrong, as a sentence; null after a success. */
    error: text('error'),
  },
  (t) => [
    // The log of a delivery.
    index('webhook_attempts_of_delivery').on(t.deliveryId, t.id),
  ],
);
