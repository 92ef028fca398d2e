import { index, json, pgTable, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { createdAt, publicId } from './columns.ts';
import { numbers } from './numbers.ts';

/** Something that happened: written in the transaction of the change itself. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** `evt_…`; the `webhook-id` of its requests. */
    id: publicId(),
    accountId: ofAccount(),
    numberId: text('number_id').references(() => numbers.id, { onDelete: 'cascade' }),
    /** The message or number that it is about: its events are delivered in order. */
    subject: text('subject').notNull(),
    type: text('type').notNull(),
    /** The `data` of the request's body. JSON keeps its order, so each attempt has the same body. */
    data: json('data').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // Replay of everything since a time, and retention.
    index('webhook_events_of_account').on(t.accountId, t.createdAt),
  ],
);
