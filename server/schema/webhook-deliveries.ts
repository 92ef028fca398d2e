import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { webhookEvents } from './webhook-events.ts';

/** An event on its way to one endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** Its order at the endpoint. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    subject: text('subject').notNull(),
    /** `dropped`: its endpoint was switched off first. */
    state: text('state', { enum: ['pending', 'delivered', 'dropped'] })
      .notNull()
      .default('pending'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().default(sql`clock_timestamp()`),
    /** A process is delivering it until then. */
    claimedUntil: instant('claimed_until'),
    createdAt: createdAt(),
    settledAt: instant('settled_at'),
  },
  (t) => [
    // Also an event's deliveries, when retention deletes it.
    uniqueIndex('webhook_deliveries_of_event').on(t.eventId, t.endpointId),
    // The log of an endpoint.
    index('webhook_deliveries_of_endpoint').on(t.endpointId, t.id),
    // The next deliveries of an endpoint.
    index('webhook_deliveries_pending').on(t.endpointId, t.id).where(sql`state = 'pending'`),
    // Whether an earlier delivery of the same message is pending.
    index('webhook_deliveries_in_order').on(t.endpointId, t.subject, t.id).where(sql`state = 'pending'`),
  ],
);
