import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';
import { users } from './users.ts';

/** One-time links into an account, by the hash of their token. Deleted when used or withdrawn. */
export const invitations = pgTable(
  'invitations',
  {
    id: publicId(),
    tokenHash: text('token_hash').notNull(),
    accountId: ofAccount(),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    /** Who it is for, as its maker wrote it. */
    note: text('note').notNull().default(''),
    invitedBy: text('invited_by').references(() => users.id, { onDelete: 'set null' }),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // Opening the link.
    uniqueIndex('invitations_token').on(t.tokenHash),
    // The members page.
    index('invitations_of_account').on(t.accountId),
  ],
);
