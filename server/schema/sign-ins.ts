import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';
import { ofUser } from './users.ts';

/** A browser in which a user is signed in. Without its row the browser's cookie is invalid. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: publicId(),
    userId: ofUser(),
    /** The user's `session_version` at the time; a higher one ends all earlier sign-ins. */
    version: integer('version').notNull(),
    address: text('address'),
    /** The browser's User-Agent header. */
    userAgent: text('user_agent'),
    /** When the password was last entered in it. */
    confirmedAt: instant('confirmed_at').notNull(),
    /** How often its cookie was renewed; earlier cookies are invalid. */
    renewals: integer('renewals').notNull().default(0),
    seenAt: instant('seen_at').notNull(),
    /** The account that an administrator views as its members see it, without changing anything. */
    viewsAccountId: text('views_account_id').references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  // A user's list, and signing out everywhere.
  (t) => [index('sign_ins_of_user').on(t.userId)],
);
