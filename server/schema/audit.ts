import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

/**
 * Who did what. Append-only: a trigger refuses UPDATE and DELETE. Actor and address stand beside it, where
 * erasure may touch them.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The account that it concerns; no reference, since the log outlives it. */
    accountId: text('account_id'),
    /** For example `key.create`, `number.link`, `plan.activate`. */
    action: text('action').notNull(),
    /** The id of what was acted on. */
    target: text('target'),
    detail: jsonb('detail').$type<Record<string, string | number | boolean | null>>(),
    createdAt: createdAt(),
  },
  // An account's log, newest first; those of one action; and those of a day.
  (t) => [
    index('audit_log_of_account').on(t.accountId, t.id),
    index('audit_log_of_action').on(t.action, t.id),
    index('audit_log_of_day').on(t.createdAt),
  ],
);

export const auditActors = pgTable(
  'audit_actors',
  {
    auditId: bigint('audit_id', { mode: 'number' })
      .primaryKey()
      .references(() => auditLog.id),
    kind: text('kind', { enum: ['user', 'cli', 'system'] }).notNull(),
    userId: text('user_id'),
    address: text('address'),
  },
  // What one user did, newest first.
  (t) => [index('audit_actors_of_user').on(t.userId, t.auditId)],
);
