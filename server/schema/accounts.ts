import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, instant, publicId } from './columns.ts';
import { users } from './users.ts';

/** A customer: numbers, keys and messages belong to it. */
export const accounts = pgTable('accounts', {
  id: publicId(),
  name: text('name').notNull(),
  suspendedAt: instant('suspended_at'),
  textRetentionDays: integer('text_retention_days').notNull().default(30),
  metadataRetentionDays: integer('metadata_retention_days').notNull().default(90),
  /** After the end of a file's message. */
  /** Of no more use: files go with the outcome of their message. The version before this one reads it. */
  mediaRetentionHours: integer('media_retention_hours').notNull().default(24),
  /** Deleted: nobody reaches it any more, and its rows go as soon as its sessions have ended. */
  deletedAt: instant('deleted_at'),
  /** Somebody of the account has read what linking a real number risks, and ticked that they have. */
  riskAcceptedAt: instant('risk_accepted_at'),
  /** In which its days begin and end for its people; null for the installation's. */
  timeZone: text('time_zone'),
  createdAt: createdAt(),
});

export const memberships = pgTable(
  'memberships',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    /** Alerts up to then were read by this person. */
    alertsReadAt: instant('alerts_read_at'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.accountId] })],
);

/** One-time links into an account, by the hash of their token. Gone when used or withdrawn. */
export const invitations = pgTable(
  'invitations',
  {
    id: publicId(),
    tokenHash: text('token_hash').notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    /** Whom it is meant for, in the words of the person who made it. */
    note: text('note').notNull().default(''),
    invitedBy: text('invited_by').references(() => users.id, { onDelete: 'set null' }),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // The person who opens the link.
    uniqueIndex('invitations_token').on(t.tokenHash),
    // The people page.
    index('invitations_of_account').on(t.accountId),
  ],
);
