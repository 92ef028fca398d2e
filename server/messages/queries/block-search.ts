import { and, asc, desc, eq, gt, gte, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { gramsOf, ownerGram } from '#server/core/search-grams.ts';
import type { Db } from '#server/platform/db/client.ts';
import { messages, searchBlocks } from '#server/schema/index.ts';
import {
  type FoundBlock,
  isBySeq,
  type MessageFilter,
  type StretchEnd,
  soughtTexts,
} from './message-filter.ts';

/** The clocks of two messages that are accepted at the same time differ by less. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * The grams that a block has if a message in it may match: all of one of these lists. Null if no block can be left out,
 * because the search is too short.
 */
export async function gramsOfSearch(db: Db, { search }: MessageFilter): Promise<number[][] | null> {
  const texts = search === undefined ? null : soughtTexts(search);
  if (texts === null) return null;
  // In the lower case of the database, which the blocks have.
  const values = sql.join(
    texts.map((text) => sql`(${text}::text)`),
    sql`, `,
  );
  const rows = await db.run<{ text: string }>(
    sql`select lower(sought.text) as text from (values ${values}) sought (text)`,
  );
  const lists = rows.map(({ text }) => gramsOf(text)).filter((grams) => grams !== null);
  return lists.length === texts.length ? lists : null;
}

/** Whether all messages that follow `end` in the list are in blocks. */
export async function areInBlocks(db: Db, params: MessageFilter & { end: StretchEnd }): Promise<boolean> {
  const { end } = params;
  const [last] = await db
    .select({ seq: searchBlocks.toSeq, at: searchBlocks.toAt })
    .from(searchBlocks)
    .where(eq(searchBlocks.accountId, params.accountId))
    .orderBy(desc(searchBlocks.toSeq))
    .limit(1);
  if (!last || last.seq < end.seq) return false;
  return isBySeq(params) || end.createdAt.getTime() < last.at.getTime() - CLOCKS_DIFFER_MS;
}

export interface BlockSearch extends MessageFilter {
  /** Only messages that follow this one in the list. */
  end: StretchEnd;
  grams: number[][];
  limit: number;
}

/**
 * The blocks in which a message may match, the last ones first: all that reach beyond `downTo` in the list, or all of
 * them if it is null. Null if more blocks than `limit` reach up to `end`.
 */
export async function findBlocks(
  db: Db,
  params: BlockSearch,
): Promise<{ blocks: FoundBlock[]; downTo: StretchEnd | null } | null> {
  const { since, until, end, limit } = params;
  const found = await db.transaction(async (tx) => {
    // A scan of the table would read all grams, and the planner does not know what that costs.
    await tx.run(sql`set local enable_seqscan = off`);
    const held = tx.select().from(searchBlocks).where(mayMatch(params)).as('held');
    return tx
      .select({
        ...{ numberId: held.numberId, fromSeq: held.fromSeq, toSeq: held.toSeq },
        ...{ fromAt: held.fromAt, toAt: held.toAt },
      })
      .from(held)
      .where(
        and(
          eq(held.accountId, params.accountId),
          isBySeq(params) ? lt(held.fromSeq, end.seq) : lte(held.fromAt, end.createdAt),
          since === undefined ? undefined : gte(held.toAt, since),
          until === undefined ? undefined : lt(held.fromAt, until),
        ),
      )
      .orderBy(desc(isBySeq(params) ? held.toSeq : held.toAt))
      .limit(limit + 1);
  });
  const next = found[limit];
  if (!next) return { blocks: found, downTo: null };
  const downTo = await firstBeyond(db, { ...params, next });
  return downTo && isBelow(params, downTo) ? { blocks: found.slice(0, limit), downTo } : null;
}

/** Found by the index of the grams. `offset 0`: other conditions stay outside, so that it uses no other index. */
function mayMatch({ accountId, numberId, grams }: BlockSearch): SQL {
  const owner = ownerGram(numberId ?? accountId);
  const lists = grams.map((list) => sql`${searchBlocks.grams} @> ${`{${[owner, ...list]}}`}::int[]`);
  return sql`${or(isNull(searchBlocks.grams), ...lists)} offset 0`;
}

const isBelow = (params: BlockSearch, { createdAt, seq }: StretchEnd): boolean => {
  const { end } = params;
  const earlierMs = end.createdAt.getTime() - createdAt.getTime();
  return isBySeq(params) || earlierMs === 0 ? seq < end.seq : earlierMs > 0;
};

/** The account's first message beyond a block. The block and those after it reach no further. */
async function firstBeyond(db: Db, params: BlockSearch & { next: FoundBlock }): Promise<StretchEnd | null> {
  const bySeq = isBySeq(params);
  const beyond: SQL = bySeq ? gt(messages.seq, params.next.toSeq) : gt(messages.createdAt, params.next.toAt);
  const [first] = await db
    .select({ createdAt: messages.createdAt, seq: messages.seq })
    .from(messages)
    .where(and(eq(messages.accountId, params.accountId), beyond))
    .orderBy(...(bySeq ? [asc(messages.seq)] : [asc(messages.createdAt), asc(messages.seq)]))
    .limit(1);
  return first ?? null;
}
