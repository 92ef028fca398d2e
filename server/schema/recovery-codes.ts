import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ofUser } from './users.ts';

/** One-time codes, hashed, that replace a second factor when the phone is lost. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: ofUser(),
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);
