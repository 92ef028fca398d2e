import { and, count, countDistinct, desc, eq, gte, inArray, isNull, lte, sql } from 'drizzle-orm';
import { isAccepted, MESSAGE_STATUSES } from '#server/core/message-state.ts';
import type { Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { messages, requests } from '#server/schema/index.ts';
import { isRefusedSend, isSend, isUnsent } from './is-refused.ts';
import { TO } from './request-list.ts';

/**
 * What was refused in the last `hours`, and since then neither sent nor dismissed, by number, or of one: among the latest
 * `limit` requests.
 */
export async function listUnsent(
  db: Db,
  params: {
    accountId: string;
    numberId?: string | undefined;
    hours: number;
    limit: number;
    recipients: number;
  },
) {
  const { numberId } = params;
  const unsent = db
    .select({
      id: requests.id,
      numberId: sql`${requests.numberId}`.as('number_id'),
      errorCode: sql`${requests.errorCode}`.as('error_code'),
      answer: sql`${requests.answer}`.as('answer'),
      to: TO.as('to'),
    })
    .from(requests)
    .where(
      and(
        eq(requests.accountId, params.accountId),
        numberId === undefined ? undefined : eq(requests.numberId, numberId),
        gte(requests.at, sql`clock_timestamp() - ${params.hours}::int * interval '1 hour'`),
        isNull(requests.dismissedAt),
        isUnsent('requests'),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(params.limit);
  // SQL: the requests are read once, and grouped twice.
  return db.run<{
    /** Null for requests with a key of a removed number. */
    numberId: string | null;
    count: number;
    /** The ID of the latest one. */
    latestId: number;
    /** The answer to the latest request with the most frequent error. */
    answer: string | null;
    /** Some of their recipients, as they were sent. */
    to: string[];
    /** How many recipients there are. */
    recipients: number;
  }>(sql`
    with unsent as materialized (${unsent}),
    reasons as (
      select distinct on (number_id) number_id, max(id) as latest
      from unsent group by number_id, error_code order by number_id, count(*) desc, max(id) desc)
    select u.number_id as "numberId", count(*)::int as count, max(u.id)::float8 as "latestId",
      (select a.answer from unsent a where a.id = r.latest) as answer,
      coalesce((array_agg(distinct u."to") filter (where u."to" is not null))[1:${params.recipients}::int], '{}') as "to",
      count(distinct u."to")::int as recipients
    from unsent u join reasons r on r.number_id is not distinct from u.number_id
    group by u.number_id, r.latest order by count(*) desc, u.number_id`);
}

/** Dismisses the refused requests to a number, or to removed ones (null), up to the one with the ID `latestId`. False if there are none. */
export async function markRequestsDismissed(
  db: Db,
  { accountId, numberId, latestId }: { accountId: string; numberId: string | null; latestId: number },
): Promise<boolean> {
  const { rowCount } = await db
    .update(requests)
    .set({ dismissedAt: sql`coalesce(${requests.dismissedAt}, ${now})` })
    .where(
      and(
        eq(requests.accountId, accountId),
        numberId === null ? isNull(requests.numberId) : eq(requests.numberId, numberId),
        lte(requests.id, latestId),
        isRefusedSend('requests'),
      ),
    );
  return rowCount !== 0;
}

/**
 * Requests to a number in the last `hours` whose client disconnected before the response, how many messages they made,
 * and how many of these were sent.
 */
export async function countHungUp(
  db: Db,
  { accountId, numberId, hours }: { accountId: string; numberId: string; hours: number },
) {
  const [found] = await db
    .select({
      requests: count(),
      messages: countDistinct(messages.id),
      sent: sql<number>`(count(distinct ${messages.id}) filter (where ${inArray(messages.status, MESSAGE_STATUSES.filter(isAccepted))}))::int`,
    })
    .from(requests)
    .leftJoin(messages, eq(messages.id, requests.messageId))
    .where(
      and(
        eq(requests.accountId, accountId),
        eq(requests.numberId, numberId),
        eq(requests.errorCode, 'hung_up'),
        gte(requests.at, sql`clock_timestamp() - ${hours}::int * interval '1 hour'`),
        isSend('requests'),
      ),
    );
  return found ?? { requests: 0, messages: 0, sent: 0 };
}
