import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { createdAt, instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/** An API key: its secret is stored as an HMAC only. */
export const apiKeys = pgTable(
  'api_keys',
  {
    /** `key_…`; the part of the key that is not secret. */
    id: text('id').primaryKey(),
    accountId: ofAccount(),
    numberId: ofNumber(),
    name: text('name').notNull(),
    /** HMAC-SHA-256 of the whole key under the pepper, base64url. */
    hmac: text('hmac').notNull(),
    /** How the key begins and ends, to tell keys apart: `wsk_test_01k9…c9Xa`. */
    hint: text('hint').notNull(),
    lastUsedAt: instant('last_used_at'),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  // The keys page, newest first.
  (t) => [index('api_keys_of_account').on(t.accountId, t.createdAt)],
);
