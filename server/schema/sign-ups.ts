import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';

/** Sign-ups whose mailed link was not opened yet, by the hash of its token. Opening it makes the user. */
export const signUps = pgTable(
  'sign_ups',
  {
    tokenHash: text('token_hash').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** The new account's name; null if the user joins one by an invitation. */
    accountName: text('account_name'),
    /** Hash of the invitation's token. */
    invitationHash: text('invitation_hash'),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // Confirming one deletes all of the same address.
    index('sign_ups_of_email').on(sql`lower(${t.email})`),
    // Retention: those that expired.
    index('sign_ups_expires').on(t.expiresAt),
  ],
);
