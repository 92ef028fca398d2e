import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';
import { users } from './users.ts';

/** A browser in which somebody is signed in; without its row the browser's cookie is worth nothing. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: publicId(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's `session_version` then; a raised one ends all that were made before. */
    version: integer('version').notNull(),
    address: text('address'),
    /** What the browser calls itself. */
    userAgent: text('user_agent'),
    /** When the password was last typed in it. */
    confirmedAt: instant('confirmed_at').notNull(),
    /** How often its cookie was renewed; one from before the last time opens nothing. */
    renewals: integer('renewals').notNull().default(0),
    seenAt: instant('seen_at').notNull(),
    /** An administrator looks at this account as its people see it, and changes nothing meanwhile. */
    viewsAccountId: text('views_account_id').references(() => accounts.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  // A user's list, and signing out everywhere.
  (t) => [index('sign_ins_of_user').on(t.userId)],
);

/** Where somebody signed in before, a browser or an address block, by hashes: what strangers do delays nobody there. */
export const knownPlaces = pgTable(
  'known_places',
  {
    /** Of the e-mail address, so that it is found without a look at users. */
    who: text('who').notNull(),
    place: text('place').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    seenAt: instant('seen_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.who, t.place] }),
    // The oldest of a user's go when there are many, and all with a new password.
    index('known_places_of_user').on(t.userId, t.seenAt),
  ],
);

/** One-time links to a new password, by the hash of their token. */
export const resetLinks = pgTable(
  'reset_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** It was sent to the address, so a person who has it reads the mail that goes there. */
    mailed: boolean('mailed').notNull().default(false),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  // A new link voids the ones before.
  (t) => [index('reset_links_of_user').on(t.userId)],
);

/** Who has signed up and not yet opened the link in the mail, by the hash of its token; only then is there a user. */
export const signUps = pgTable(
  'sign_ups',
  {
    tokenHash: text('token_hash').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** Of the account that they get; null for who joins one by an invitation. */
    accountName: text('account_name'),
    /** Of the invitation's token. */
    invitationHash: text('invitation_hash'),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // All of an address go when one is confirmed.
    index('sign_ups_of_email').on(sql`lower(${t.email})`),
    // What has run out.
    index('sign_ups_expires').on(t.expiresAt),
  ],
);

/** What opens a second factor once when the telephone is lost, hashed. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);
