import { and, count, desc, eq, gte, inArray, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import { countedMessages, startOf, sumOf } from '#server/messages/queries/message-counts.ts';
import { messageError } from '#server/messages/queries/message-error.ts';
import type { Db } from '#server/platform/db/client.ts';
import { messages, numbers } from '#server/schema/index.ts';

/** Today's outcomes, for each number that had any. `timeZone`: that of the account's counts. */
export async function countToday(db: Db, { accountId, timeZone }: { accountId: string; timeZone: string }) {
  const counted = countedMessages({ accountId, unit: 'day', from: startOf('day', timeZone) });
  // SQL: the builder does not read from a union without repeating its columns.
  return db.run<
    { numberId: string } & Record<
      'sent' | 'delivered' | 'failed' | 'unknown' | 'expired' | 'cancelled',
      number
    >
  >(sql`
    select number_id as "numberId", ${sumOf('sent')} as sent, ${sumOf('delivered')} as delivered, ${sumOf('failed')} as failed,
      ${sumOf('unknown')} as unknown, ${sumOf('expired')} as expired, ${sumOf('cancelled')} as cancelled
    from ${counted} m group by number_id`);
}

/**
 * Whether a message was sent again: a later one has the same content and recipient, and no other reference. A
 * later one that expired or was cancelled does not count.
 */
const sentAgain = sql`exists (
  select from messages later where later.number_id = ${messages.numberId} and later.recipient = ${messages.recipient}
    and later.created_at >= ${messages.createdAt} and later.seq > ${messages.seq} and later.content = ${messages.content}
    and (later.reference = ${messages.reference}) is not false and later.status not in ('expired', 'cancelled'))`;

const NOT_SENT = ['failed', 'unknown', 'expired', 'cancelled'] as const;

/**
 * Each number's messages since a time that were not sent or may not have been, the most urgent first. From an index
 * alone: rows are then read one by one until there are enough.
 */
function notSentSince(db: Db, { accountId, from }: { accountId: string; from: SQL }) {
  const urgency = sql<number>`case ${messages.status} when 'unknown' then 0 when 'failed' then 1 else 2 end`;
  return db
    .select({
      numberId: messages.numberId,
      status: messages.status,
      at: messages.createdAt,
      seq: messages.seq,
      rank: urgency.as('rank'),
    })
    .from(numbers)
    .innerJoin(messages, eq(messages.numberId, numbers.id))
    .where(
      and(
        eq(numbers.accountId, accountId),
        inArray(messages.status, NOT_SENT),
        gte(messages.createdAt, from),
      ),
    )
    .orderBy(urgency, desc(messages.createdAt), desc(messages.seq))
    .offset(0)
    .as('candidates');
}

const rowOf = (candidates: ReturnType<typeof notSentSince>) =>
  and(
    eq(messages.numberId, candidates.numberId),
    eq(messages.status, candidates.status),
    eq(messages.createdAt, candidates.at),
    eq(messages.seq, candidates.seq),
  );

/** How many of today's messages that were not sent, or may not have been, were sent again. */
export async function countSentAgain(
  db: Db,
  { accountId, timeZone }: { accountId: string; timeZone: string },
): Promise<Record<(typeof NOT_SENT)[number], number>> {
  const candidates = notSentSince(db, { accountId, from: startOf('day', timeZone) });
  const rows = await db
    .select({ status: candidates.status, count: count() })
    .from(candidates)
    .innerJoin(messages, rowOf(candidates))
    .where(sentAgain)
    .groupBy(candidates.status);
  const found = Object.fromEntries(rows.map((row) => [row.status, row.count]));
  return { failed: 0, unknown: 0, expired: 0, cancelled: 0, ...found };
}

/**
 * Messages of the last `days` days that are unknown, failed, or waited in the async lane and were not sent: they
 * expired, or the service cancelled them. In this order, each latest first: an unknown one may have arrived. Without those that were sent again or dismissed, or, with
 * `handled`, only the failed and unknown ones among those.
 */
export async function listTroubles(
  db: Db,
  {
    accountId,
    days,
    limit,
    handled = false,
  }: { accountId: string; days: number; limit: number; handled?: boolean },
) {
  const candidates = notSentSince(db, { accountId, from: sql`now() - ${days}::int * interval '1 day'` });
  const byService = sql`coalesce(${messages.errorCode}, '') not in ('cancelled_by_person', 'cancelled_by_caller')`;
  const notSent = or(eq(messages.status, 'expired'), and(eq(messages.status, 'cancelled'), byService));
  const failed = inArray(messages.status, ['failed', 'unknown']);
  const open = and(isNull(messages.dismissedAt), not(sentAgain));
  return db
    .select({
      id: messages.id,
      to: messages.recipient,
      ...pick(messages, 'type', 'status', 'reference', 'content', 'sendAt'),
      error: messageError,
      /** When its outcome became known; when it was accepted, if that is missing. */
      at: sql<Date>`coalesce(${messages.settledAt}, ${messages.createdAt})`.mapWith(messages.createdAt),
    })
    .from(candidates)
    .innerJoin(messages, rowOf(candidates))
    .where(
      handled
        ? and(failed, or(isNotNull(messages.dismissedAt), sentAgain))
        : and(or(failed, and(eq(messages.lane, 'async'), notSent)), open),
    )
    .orderBy(candidates.rank, desc(candidates.at), desc(candidates.seq))
    .limit(limit);
}

/** What an account has done to get started. */
export interface Progress {
  /** A number of the real network was linked. */
  phone: boolean;
  key: boolean;
  sent: boolean;
}

export async function findProgress(db: Db, { accountId }: { accountId: string }): Promise<Progress> {
  // SQL: three questions in one round trip. The builder has no select without a table.
  const [row] = await db.run<Record<keyof Progress, boolean>>(sql`
    select
      exists (select from numbers where account_id = ${accountId} and removed_at is null
        and network = 'whatsapp' and first_linked_at is not null) as phone,
      exists (select from api_keys where account_id = ${accountId} and revoked_at is null) as key,
      exists (select from messages where account_id = ${accountId}
        and status in ('sent', 'delivered', 'read')) as sent`);
  return row ?? { phone: false, key: false, sent: false };
}
