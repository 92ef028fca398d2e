import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { instant } from './columns.ts';

/** The request log: one request of the API with a valid key. Numbers and keys may be deleted before their rows. */
export const requests = pgTable(
  'requests',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: ofAccount(),
    numberId: text('number_id'),
    keyId: text('key_id'),
    at: instant('at').notNull(),
    /** Method and path template, such as `POST /messages/text`. */
    endpoint: text('endpoint').notNull(),
    status: integer('status').notNull(),
    /** Null if the request was accepted. */
    errorCode: text('error_code'),
    requestId: text('request_id').notNull(),
    durationMs: integer('duration_ms').notNull(),
    messageId: text('message_id'),
    reference: text('reference'),
    /** The request's JSON with its content masked; null without a body. */
    body: text('body'),
    /** The answer's body if the request was refused. */
    answer: text('answer'),
    /** When a member took it out of the overview's "Needs attention"; null if nobody did. */
    dismissedAt: instant('dismissed_at'),
  },
  (t) => [
    // An account's log, newest first, and its limit.
    index('requests_of_account').on(t.accountId, t.id),
    // Only refused requests, which are few: the page's filter, the overview, and the alert.
    index('requests_refused').on(t.accountId, t.id).where(sql`error_code is not null`),
    // Look-up by `X-Request-Id`.
    index('requests_by_request_id').on(t.requestId),
    // Retention.
    index('requests_of_account_by_time').on(t.accountId, t.at),
  ],
);
