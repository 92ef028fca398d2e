import { and, asc, eq, gt, gte, isNull, lte, sql } from 'drizzle-orm';
import { searchedText } from '#server/messages/queries/message-filter.ts';
import type { Database, Tx } from '#server/platform/db/client.ts';
import { messages, searchBlocks } from '#server/schema/index.ts';

/** Held while blocks are made. Who erases texts shares it (`forget_search_block`, `forget_deleted_messages` in `drizzle`). */
const LOCK = 7_270_036;

/** The messages of an account that come next into blocks. */
export interface NextMessages {
  accountId: string;
  /** After this `seq`, up to and including the other. */
  after: number;
  upTo: number;
}

/**
 * The oldest `batch` messages of each account that are in no block, if there are so many. SQL: a lateral join reads two indexes for each account.
 */
export async function listNextMessages(
  database: Database,
  { batch }: { batch: number },
): Promise<NextMessages[]> {
  return database.db.run<NextMessages>(sql`
    select a.id as "accountId", b.seq::float8 as after, m.seq::float8 as "upTo"
    from accounts a cross join lateral (select coalesce(max(to_seq), 0) as seq from search_blocks where account_id = a.id) b
    cross join lateral (
      select seq from messages where account_id = a.id and seq > b.seq order by seq offset ${batch - 1}::int limit 1) m
    order by a.id`);
}

/**
 * The transactions that have written messages and have not ended. One that is listed after a message was seen may still
 * commit another one with a lower `seq`. SQL: they are known by their locks.
 */
export async function listWriters(database: Database): Promise<string[]> {
  const rows = await database.db.run<{ writer: string }>(sql`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'messages'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return rows.map(({ writer }) => writer);
}

/** Runs `work` unless another process makes blocks or a text is being erased; then returns null. */
export function whileNothingIsErased<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  return database.db.transaction(async (tx) => {
    const rows = await tx.run<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as free`);
    return rows[0]?.free ? work(tx) : null;
  });
}

/** How far the messages of an account are in blocks. */
export async function lastBlocked(tx: Tx, { accountId }: { accountId: string }): Promise<number> {
  const [row] = await tx
    .select({ seq: sql<number>`coalesce(max(${searchBlocks.toSeq}), 0)::float8` })
    .from(searchBlocks)
    .where(eq(searchBlocks.accountId, accountId));
  return row?.seq ?? 0;
}

const read = {
  numberId: messages.numberId,
  seq: messages.seq,
  createdAt: messages.createdAt,
  text: searchedText,
};

/** A message, and all of its text that a search looks at. */
export interface ReadMessage {
  numberId: string;
  seq: number;
  createdAt: Date;
  text: string;
}

export function readNextMessages(tx: Tx, { accountId, after, upTo }: NextMessages): Promise<ReadMessage[]> {
  return tx
    .select(read)
    .from(messages)
    .where(and(eq(messages.accountId, accountId), gt(messages.seq, after), lte(messages.seq, upTo)))
    .orderBy(asc(messages.seq));
}

export type Block = typeof searchBlocks.$inferSelect;

/** The grams go as one text each, which is several times as fast as a list. */
export async function putBlocks(tx: Tx, blocks: (Block & { grams: number[] })[]): Promise<void> {
  const values = blocks.map((block) => ({ ...block, grams: sql`${`{${block.grams}}`}::int[]` }));
  await tx.insert(searchBlocks).values(values);
}

/** Blocks of which a text was erased or a message deleted. */
export function listStaleBlocks(tx: Tx, { limit }: { limit: number }): Promise<Block[]> {
  return tx.select().from(searchBlocks).where(isNull(searchBlocks.grams)).limit(limit);
}

export function readBlock(tx: Tx, { numberId, fromSeq, toSeq, fromAt, toAt }: Block): Promise<ReadMessage[]> {
  return tx
    .select(read)
    .from(messages)
    .where(
      and(
        eq(messages.numberId, numberId),
        gte(messages.createdAt, fromAt),
        lte(messages.createdAt, toAt),
        gte(messages.seq, fromSeq),
        lte(messages.seq, toSeq),
      ),
    );
}

/** Stores what occurs in a block now, or deletes it with the last of its messages. */
export async function renewBlock(tx: Tx, { numberId, toSeq }: Block, grams: number[] | null): Promise<void> {
  const own = and(eq(searchBlocks.numberId, numberId), eq(searchBlocks.toSeq, toSeq));
  if (grams === null) await tx.delete(searchBlocks).where(own);
  else await tx.update(searchBlocks).set({ grams }).where(own);
}

/** Adds new blocks to the index at once. Otherwise each search would read them one by one. */
export async function mergePending(database: Database): Promise<void> {
  await database.db.run(sql`select gin_clean_pending_list('search_blocks_grams')`);
}
