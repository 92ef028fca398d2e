import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ALERT_KINDS } from '#server/core/alert.ts';
import { accounts } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';
import { numbers } from './numbers.ts';
import { users } from './users.ts';

/** What an account's people and the operator learn without looking; each event once. */
export const alerts = pgTable(
  'alerts',
  {
    id: publicId(),
    /** Names the event, so that the process that sees it first raises it and no other does. */
    eventKey: text('event_key').notNull().unique(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    numberId: text('number_id').references(() => numbers.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    /** A number's: when it was last connected, by the id in its history. What comes later ends the incident. */
    incident: bigint('incident', { mode: 'number' }),
    /** A number's: why it is in its state. A plan's: the last day paid for. Of cancelled messages: how many. */
    detail: text('detail'),
    happenedAt: instant('happened_at').notNull(),
    createdAt: createdAt(),
  },
  // An account's list, newest first; and a number's open incidents.
  (t) => [
    index('alerts_of_account').on(t.accountId, t.createdAt),
    index('alerts_of_number').on(t.numberId, t.incident),
  ],
);

/** An alert that one person has marked as read singly, besides all those up to a time. */
export const alertReads = pgTable(
  'alert_reads',
  {
    alertId: text('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.alertId, t.userId] })],
);

/** An alert's mail to one person. */
export const alertMails = pgTable(
  'alert_mails',
  {
    alertId: text('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tries: integer('tries').notNull().default(0),
    /** Not to be tried before: somebody is at it, or the mail server was away. */
    nextTryAt: instant('next_try_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.alertId, t.userId] }),
    // What is to be sent.
    index('alert_mails_due').on(t.nextTryAt).where(sql`sent_at is null`),
  ],
);
