import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { ANNOUNCED_STATUSES } from '#server/core/message-state.ts';
import { instant } from './columns.ts';
import { messages } from './messages.ts';

/** A message's timeline. */
export const messageEvents = pgTable(
  'message_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    messageId: text('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    event: text('event', {
      enum: [
        'accepted',
        'media_ready',
        'slot_claimed',
        'recipient_resolved',
        'handed_over',
        'repeated',
        ...ANNOUNCED_STATUSES,
      ],
    }).notNull(),
    detail: text('detail'),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
  },
  // A message's timeline, in order.
  (t) => [index('message_events_of_message').on(t.messageId, t.id)],
);
