import { boolean, index, integer, json, pgTable, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';
import { numbers } from './numbers.ts';

/** Where an account wants its events sent. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: publicId(),
    accountId: ofAccount(),
    /** Null: events of every number. */
    numberId: text('number_id').references(() => numbers.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    /** The types that it gets. */
    events: text('events').array().notNull(),
    /** The signing secret (`whsec_…`), sealed. */
    secret: text('secret').notNull(),
    /** The one before it, sealed. Requests are signed with both until `previousSecretUntil`. */
    previousSecret: text('previous_secret'),
    previousSecretUntil: instant('previous_secret_until'),
    /** Those before `previousSecret` that requests are still signed with, sealed, newest first. */
    olderSecrets: json('older_secrets').$type<{ secret: string; until: string }[]>().notNull().default([]),
    /** Since when no request can be signed, because `secret` cannot be decrypted. */
    unsignedSince: instant('unsigned_since'),
    active: boolean('active').notNull().default(true),
    /** Why it is not active. */
    disabledReason: text('disabled_reason', { enum: ['gone', 'failing', 'person'] }),
    disabledAt: instant('disabled_at'),
    /** The first failure since the last success; null when the last attempt succeeded. */
    failingSince: instant('failing_since'),
    failuresInARow: integer('failures_in_a_row').notNull().default(0),
    /** While it fails: no attempt before this time. */
    retryAt: instant('retry_at'),
    /** Of the slowest of its last attempts that were stored together: a slow endpoint has its own places. */
    lastDurationMs: integer('last_duration_ms'),
    lastSuccessAt: instant('last_success_at'),
    /** The `sequence` of its last test event. */
    testSequence: integer('test_sequence').notNull().default(0),
    createdAt: createdAt(),
  },
  // The triggers that write events, and the Webhooks page.
  (t) => [index('webhook_endpoints_of_account').on(t.accountId)],
);
