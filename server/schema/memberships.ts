import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { createdAt, instant } from './columns.ts';
import { ofUser } from './users.ts';

/** A user who belongs to an account. */
export const memberships = pgTable(
  'memberships',
  {
    accountId: ofAccount(),
    userId: ofUser(),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    /** The member has read all alerts up to then. */
    alertsReadAt: instant('alerts_read_at'),
    createdAt: createdAt(),
  },
  (t) => [
    // A user's accounts; with the account, whether they are a member.
    primaryKey({ columns: [t.userId, t.accountId] }),
    // An account's members: the list of all accounts.
    index('memberships_of_account').on(t.accountId),
  ],
);
