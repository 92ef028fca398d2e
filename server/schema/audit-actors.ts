import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { auditLog } from './audit-log.ts';

/** Who caused an entry of the audit log. Its own table, because erasure may change it. */
export const auditActors = pgTable(
  'audit_actors',
  {
    auditId: bigint('audit_id', { mode: 'number' })
      .primaryKey()
      .references(() => auditLog.id),
    kind: text('kind', { enum: ['user', 'key', 'cli', 'system'] }).notNull(),
    /** The user or the API key. */
    userId: text('user_id'),
    address: text('address'),
  },
  // One user's entries, newest first.
  (t) => [index('audit_actors_of_user').on(t.userId, t.auditId)],
);
