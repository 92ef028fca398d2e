import { type AnyColumn, and, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { isRequestId } from '#server/core/request-id.ts';
import type { Db } from '#server/platform/db/client.ts';
import { messages, numbers } from '#server/schema/index.ts';
import { BLOCK_MESSAGES } from '#server/schema/search-blocks.ts';

export interface MessageFilter {
  accountId: string;
  numberId?: string | undefined;
  status?: MessageStatus | undefined;
  type?: MessageType | undefined;
  keyId?: string | undefined;
  errorCode?: string | undefined;
  /** Part of the recipient, the text or the reference, the beginning of a message id, or an `X-Request-Id`. */
  search?: string | undefined;
  /** Accepted at or after `since` and before `until`. */
  since?: Date | undefined;
  until?: Date | undefined;
  ids?: readonly string[] | undefined;
}

/** The part of a list that one statement reads. */
export interface MessageRange extends MessageFilter {
  /** Only messages that follow the one with this `seq` in the list. */
  before: number | null;
  /** Only messages down to this one ({@link findStretch}). */
  downTo?: StretchEnd | null | undefined;
  blocks?: readonly FoundBlock[] | undefined;
  limit?: number;
}

/** An account's messages are listed by admission; those of a number or a time by the indexes of these. */
export const isBySeq = ({ numberId, since, until }: MessageFilter) =>
  numberId === undefined && since === undefined && until === undefined;

/** Newest first, in the order of an index. */
export const orderOf = (
  filter: MessageFilter,
  of: { seq: AnyColumn; createdAt: AnyColumn } = messages,
): SQL[] => (isBySeq(filter) ? [desc(of.seq)] : [desc(of.createdAt), desc(of.seq)]);

/** Whether no index finds the matches of a filter, so that they are looked for among all messages of the list. */
export function isScanned({ numberId, status, type, keyId, errorCode, search, ids }: MessageFilter): boolean {
  if (ids !== undefined || (search !== undefined && isMessageId(search))) return false;
  const others = [type, keyId, errorCode, search].some((value) => value !== undefined);
  return others && !(status !== undefined && numberId === undefined && OPEN.has(status));
}
/** Never many, because they become something else soon. */
const OPEN: ReadonlySet<MessageStatus> = new Set(['queued', 'sending']);

/** The message that ends a stretch of a list. */
export interface StretchEnd {
  createdAt: Date;
  seq: number;
}

/**
 * The last of the next `rows` messages of a list, whether they match its filter or not; null if there are fewer.
 */
export async function findStretch(
  db: Db,
  params: MessageRange & { rows: number },
): Promise<StretchEnd | null> {
  const { numberId, since, until, before, rows } = params;
  if (isBySeq(params)) {
    // From the index alone; only the last row is read.
    const edge = db
      .select({ accountId: messages.accountId, seq: messages.seq })
      .from(messages)
      .where(
        and(eq(messages.accountId, params.accountId), before === null ? undefined : lt(messages.seq, before)),
      )
      .orderBy(desc(messages.seq))
      .offset(rows - 1)
      .limit(1)
      .as('edge');
    const [last] = await db
      .select({ createdAt: messages.createdAt, seq: messages.seq })
      .from(edge)
      .innerJoin(messages, and(eq(messages.accountId, edge.accountId), eq(messages.seq, edge.seq)));
    return last ?? null;
  }
  // The index of a number has no account.
  const own = db
    .select({ id: numbers.id })
    .from(numbers)
    .where(and(eq(numbers.accountId, params.accountId), eq(numbers.id, numberId ?? '')));
  const [last] = await db
    .select({ createdAt: messages.createdAt, seq: messages.seq })
    .from(messages)
    .where(
      and(
        numberId === undefined
          ? eq(messages.accountId, params.accountId)
          : sql`${messages.numberId} = ${own}`,
        since === undefined ? undefined : gte(messages.createdAt, since),
        until === undefined ? undefined : lt(messages.createdAt, until),
        before === null ? undefined : follows(db, params, before),
      ),
    )
    .orderBy(...orderOf(params))
    .offset(rows - 1)
    .limit(1);
  return last ?? null;
}

/** The condition of a list. */
export function matches(db: Db, params: MessageRange): SQL | undefined {
  const { numberId, status, type, keyId, errorCode, search, since, until, ids, before, downTo } = params;
  const byNumber = status !== undefined && numberId === undefined && ids === undefined && !isScanned(params);
  return and(
    byNumber ? latestWithStatus(db, { ...params, status }) : eq(messages.accountId, params.accountId),
    numberId === undefined ? undefined : eq(messages.numberId, numberId),
    status === undefined ? undefined : eq(messages.status, status),
    type === undefined ? undefined : eq(messages.type, type),
    keyId === undefined ? undefined : eq(messages.apiKeyId, keyId),
    errorCode === undefined ? undefined : sql`${messages.errorCode} = ${errorCode}`,
    search === undefined ? undefined : matching(search),
    since === undefined ? undefined : gte(messages.createdAt, since),
    until === undefined ? undefined : lt(messages.createdAt, until),
    ids === undefined ? undefined : inArray(messages.id, [...ids]),
    before === null ? undefined : follows(db, params, before),
    downTo ? isWithin(params, downTo) : undefined,
    params.blocks === undefined ? undefined : isInBlocks({ ...params, blocks: params.blocks }),
  );
}

const cursor = alias(messages, 'cursor');

/** Follows the message with this `seq`. The builder compares no rows. */
function follows(db: Db, params: MessageFilter, before: number): SQL {
  if (isBySeq(params)) return lt(messages.seq, before);
  const at = db
    .select({ createdAt: cursor.createdAt })
    .from(cursor)
    .where(and(eq(cursor.accountId, params.accountId), eq(cursor.seq, before)));
  return sql`(${messages.createdAt}, ${messages.seq}) < (${at}, ${before})`;
}

function isWithin(params: MessageFilter, { createdAt, seq }: StretchEnd): SQL {
  if (isBySeq(params)) return gte(messages.seq, seq);
  return sql`(${messages.createdAt}, ${messages.seq}) >= (${createdAt}, ${seq})`;
}

/**
 * The latest messages with a status, which only the index of each number finds: the latest of each number, and of them
 * the latest. Within a number both orders are the same. SQL: in a lateral join the builder gives a table the name that the outer query uses.
 */
function latestWithStatus(db: Db, params: MessageRange & { status: MessageStatus }): SQL {
  const { status, since, until, before } = params;
  const within = and(
    since === undefined ? undefined : gte(messages.createdAt, since),
    until === undefined ? undefined : lt(messages.createdAt, until),
    before === null ? undefined : follows(db, params, before),
  );
  const limit = OPEN.has(status) && !isOnlyStatus(params) ? sql`all` : sql`${params.limit ?? null}::int`;
  return sql`${messages.id} in (
    select latest.id from ${numbers} n cross join lateral (
      select id, created_at, seq from ${messages} where ${messages.numberId} = n.id and ${messages.status} = ${status}
        and ${within ?? sql`true`}
      order by created_at desc, seq desc limit ${limit}) latest
    where n.account_id = ${params.accountId} order by ${isBySeq(params) ? sql`` : sql`latest.created_at desc,`} latest.seq desc limit ${limit})`;
}

/** Messages that stand together. */
export interface FoundBlock {
  numberId: string;
  fromSeq: number;
  toSeq: number;
  fromAt: Date;
  toAt: Date;
}

/**
 * Reads the blocks by the index of a number, one after the other: the limit and `+ 0` keep the planner from other ways.
 * SQL: as in {@link latestWithStatus}.
 */
function isInBlocks({ search, blocks }: MessageRange & { blocks: readonly FoundBlock[] }): SQL {
  return sql`${messages.id} in (
    select found.id
    from jsonb_to_recordset(${JSON.stringify(blocks)}::jsonb) b ("numberId" text, "fromSeq" bigint, "toSeq" bigint, "fromAt" timestamptz, "toAt" timestamptz)
    cross join lateral (
      select id from ${messages} where ${messages.numberId} = b."numberId" and ${messages.createdAt} between b."fromAt" and b."toAt"
        and ${messages.seq} + 0 between b."fromSeq" and b."toSeq" and ${(search === undefined ? undefined : matching(search)) ?? sql`true`}
      order by created_at limit ${BLOCK_MESSAGES}) found)`;
}

const isOnlyStatus = ({ type, keyId, errorCode, search }: MessageFilter) =>
  [type, keyId, errorCode, search].every((value) => value === undefined);

/**
 * The texts of a message, field by field, so that a search for "type" does not match field names. It takes a third
 * of the time of a search through all JSON values. Erased texts are not found.
 */
const written = sql`concat_ws(E'\n', ${sql.join(
  ['body', 'caption', 'filename', 'name', 'address', 'contactName', 'contactPhone', 'url'].map((field) =>
    sql`${messages.content}->>${field}`.inlineParams(),
  ),
  sql`, `,
)})`;

/** All that {@link matching} looks at, in lower case as `ilike` compares it. */
export const searchedText = sql<string>`lower(concat_ws(E'\n', ${written}, ${messages.reference}, ${messages.recipient}))`;

function matching(search: string): SQL | undefined {
  if (isMessageId(search)) return sql`starts_with(${messages.id}, ${search})`;
  if (isRequestId(search)) return eq(messages.requestId, search.toLowerCase());
  const found = or(
    sql`${written} ilike ${patternOf(search)}`,
    sql`${messages.reference} ilike ${patternOf(search)}`,
  );
  const recipient = recipientPart(search);
  return recipient === '' ? found : or(found, sql`${messages.recipient} like ${patternOf(recipient)}`);
}

/** Pages show "+49 152 2881", and the column holds digits. */
const recipientPart = (search: string) =>
  /^\+?[\d\s()-]+$/.test(search) ? search.replace(/\D/g, '') : search;

/** What a message must contain to match a search of its texts: one of these. Null for IDs. */
export function soughtTexts(search: string): string[] | null {
  if (isMessageId(search) || isRequestId(search)) return null;
  return [...new Set([search, recipientPart(search)])].filter((text) => text !== '');
}

const isMessageId = (search: string) => /^msg_\w*/.test(search);
const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
