import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { alerts } from './alerts.ts';
import { ofUser } from './users.ts';

/** An alert that a user marked as read, in addition to all those up to `memberships.alerts_read_at`. */
export const alertReads = pgTable(
  'alert_reads',
  {
    alertId: text('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    userId: ofUser(),
  },
  (t) => [primaryKey({ columns: [t.alertId, t.userId] })],
);
