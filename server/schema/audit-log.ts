import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

/**
 * Who changed what. Append-only: a trigger refuses UPDATE and DELETE, except that the entries of a deleted account lose
 * the texts in `detail`. `audit_actors` holds actor and address, which erasure may change.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The account that the entry concerns; no reference, because the log outlives the account. */
    accountId: text('account_id'),
    /** For example `key.create`, `number.link`, `plan.activate`. */
    action: text('action').notNull(),
    /** The id of the object that was acted on. */
    target: text('target'),
    detail: jsonb('detail').$type<Record<string, string | number | boolean | null>>(),
    createdAt: createdAt(),
  },
  // An account's log, newest first; the entries of one action; the entries of a day.
  (t) => [
    index('audit_log_of_account').on(t.accountId, t.id),
    index('audit_log_of_action').on(t.action, t.id),
    index('audit_log_of_day').on(t.createdAt),
  ],
);
