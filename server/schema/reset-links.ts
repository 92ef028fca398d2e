import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';
import { ofUser } from './users.ts';

/** One-time links to set a new password, by the hash of their token. */
export const resetLinks = pgTable(
  'reset_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: ofUser(),
    /** It was mailed, so opening it also confirms the address. */
    mailed: boolean('mailed').notNull().default(false),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  // A new link replaces the earlier ones.
  (t) => [index('reset_links_of_user').on(t.userId)],
);
