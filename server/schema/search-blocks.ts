import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/** Messages of a block. With more, a search finds more blocks that have its characters in different messages. */
export const BLOCK_MESSAGES = 32;

/**
 * Consecutive messages of a number, and what occurs in their texts, so that a search skips those that cannot match.
 * All messages of an account up to the last `to_seq` are in blocks. Triggers on `messages` set `grams` to null.
 */
export const searchBlocks = pgTable(
  'search_blocks',
  {
    accountId: ofAccount(),
    numberId: ofNumber(),
    /** The first and the last `seq` of its messages. */
    fromSeq: bigint('from_seq', { mode: 'number' }).notNull(),
    toSeq: bigint('to_seq', { mode: 'number' }).notNull(),
    /** The first and the last time at which one of them was accepted. */
    fromAt: instant('from_at').notNull(),
    toAt: instant('to_at').notNull(),
    /** `server/core/search-grams.ts`; null once a text was erased or a message deleted, until they are read again. */
    grams: integer('grams').array(),
  },
  (t) => [
    // The block of a message.
    primaryKey({ name: 'search_blocks_pk', columns: [t.numberId, t.toSeq] }),
    // How far an account's messages are in blocks.
    index('search_blocks_of_account').on(t.accountId, t.toSeq),
    // Blocks to read again. A search looks through them meanwhile.
    index('search_blocks_stale').on(t.accountId).where(sql`grams is null`),
    // Search. The job that makes blocks also merges what is pending here.
    index('search_blocks_grams').using('gin', t.grams),
  ],
);
