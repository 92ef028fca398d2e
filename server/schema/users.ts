import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant, publicId } from './columns.ts';

/** A person who signs in. What they own belongs to accounts, not to them. */
export const users = pgTable(
  'users',
  {
    id: publicId(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** When it was shown that the address is this person's; null where nobody has. */
    emailConfirmedAt: instant('email_confirmed_at'),
    admin: boolean('admin').notNull().default(false),
    /** Raised to end every session of this user. */
    sessionVersion: integer('session_version').notNull().default(1),
    /** Secret of the authenticator app, encrypted; proposed until `totp_since` is set. */
    totpSecret: text('totp_secret'),
    totpSince: instant('totp_since'),
    /** The 30 s step of the last code that was taken: none is taken twice. */
    totpStep: bigint('totp_step', { mode: 'number' }).notNull().default(0),
    disabledAt: instant('disabled_at'),
    createdAt: createdAt(),
  },
  // Sign-in looks a user up by address, in any case.
  (t) => [uniqueIndex('users_email').on(sql`lower(${t.email})`)],
);
