import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { MailTimes } from '#server/core/alert.ts';
import { createdAt, instant, publicId } from './columns.ts';

/** A person who signs in. Their data belongs to accounts, through memberships. */
export const users = pgTable(
  'users',
  {
    id: publicId(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** When the user confirmed the address; null if not yet. */
    emailConfirmedAt: instant('email_confirmed_at'),
    admin: boolean('admin').notNull().default(false),
    /** Incremented to end every sign-in of this user. */
    sessionVersion: integer('session_version').notNull().default(1),
    /** The authenticator app's secret, encrypted; only proposed until `totp_since` is set. */
    totpSecret: text('totp_secret'),
    totpSince: instant('totp_since'),
    /** The 30 s step of the last accepted code: no code is accepted twice. */
    totpStep: bigint('totp_step', { mode: 'number' }).notNull().default(0),
    /** When alerts are mailed to the user. */
    mailTimes: jsonb('mail_times').$type<MailTimes>().notNull().default({}),
    disabledAt: instant('disabled_at'),
    createdAt: createdAt(),
  },
  // Sign-in finds a user by address, in any letter case.
  (t) => [uniqueIndex('users_email').on(sql`lower(${t.email})`)],
);

/** The user that a row belongs to. The row is deleted with it. */
export const ofUser = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
