import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { alerts } from './alerts.ts';
import { instant } from './columns.ts';
import { ofUser } from './users.ts';

/** An alert's mail to one user. */
export const alertMails = pgTable(
  'alert_mails',
  {
    alertId: text('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    /** Sent with the others of the same day, in one mail. */
    digest: boolean('digest').notNull().default(false),
    tries: integer('tries').notNull().default(0),
    /** No process tries before this time: one is sending it, or the mail server did not answer. */
    nextTryAt: instant('next_try_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.alertId, t.userId] }),
    // The next mail to send.
    index('alert_mails_due').on(t.nextTryAt).where(sql`sent_at is null`),
  ],
);
