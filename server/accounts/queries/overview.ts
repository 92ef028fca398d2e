import { and, desc, eq, gt, gte, inArray, or, sql } from 'drizzle-orm';
import type { MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Db } from '#server/platform/db/client.ts';
import { countIf, daysAgo } from '#server/platform/db/expressions.ts';
import { messages } from '#server/schema/index.ts';

/** How many messages ended how. */
export interface Counts {
  sent: number;
  delivered: number;
  failed: number;
  unknown: number;
}

const status = (...among: MessageStatus[]) => inArray(messages.status, among);
const ACCEPTED = ['sent', 'delivered', 'read'] as const;

const counts = {
  sent: countIf(status(...ACCEPTED)),
  delivered: countIf(status('delivered', 'read')),
  failed: countIf(status('failed')),
  unknown: countIf(status('unknown')),
};

interface InZone {
  accountId: string;
  /** IANA name; days begin at its midnight. */
  timeZone: string;
}

/** Today's outcomes, for each number that had any. */
export async function countToday(
  db: Db,
  { accountId, timeZone }: InZone,
): Promise<(Counts & { numberId: string })[]> {
  const midnight = sql`date_trunc('day', clock_timestamp(), ${timeZone})`;
  return db
    .select({ numberId: messages.numberId, ...counts })
    .from(messages)
    .where(and(eq(messages.accountId, accountId), gte(messages.createdAt, midnight)))
    .groupBy(messages.numberId);
}

/** Sent messages by number and hour, `hoursAgo` 0 to 23. */
export async function countHours(
  db: Db,
  { accountId }: { accountId: string },
): Promise<{ numberId: string; hoursAgo: number; sent: number }[]> {
  const hoursAgo = sql<number>`floor(extract(epoch from clock_timestamp() - ${messages.sentAt}) / 3600)::int`;
  const rows = await db
    .select({ numberId: messages.numberId, hoursAgo, sent: countIf() })
    .from(messages)
    .where(
      and(
        eq(messages.accountId, accountId),
        gt(messages.createdAt, daysAgo(2)),
        gt(messages.sentAt, daysAgo(1)),
      ),
    )
    .groupBy(sql`1, 2`);
  return rows.filter((row) => row.hoursAgo >= 0 && row.hoursAgo < 24);
}

/**
 * Outcomes of each of the last `days` days including today, as `YYYY-MM-DD` in the zone: of the real network, or of
 * the sandbox until the first real number is linked.
 */
export async function countDays(
  db: Db,
  { accountId, timeZone, days }: InZone & { days: number },
): Promise<(Counts & { day: string })[]> {
  // The builder has no `generate_series`, which gives days without messages a row.
  const { rows } = await db.execute<{ day: string } & Record<keyof Counts, number>>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(c.sent, 0) as sent, coalesce(c.delivered, 0) as delivered,
      coalesce(c.failed, 0) as failed, coalesce(c.unknown, 0) as unknown
    from generate_series(
      date_trunc('day', clock_timestamp() at time zone ${timeZone}) - (${days}::int - 1) * interval '1 day',
      date_trunc('day', clock_timestamp() at time zone ${timeZone}), interval '1 day') d(day)
    left join (
      select date_trunc('day', messages.created_at at time zone ${timeZone}) as day, ${counts.sent} as sent,
        ${counts.delivered} as delivered, ${counts.failed} as failed, ${counts.unknown} as unknown
      from messages join numbers n on n.id = messages.number_id
      where messages.account_id = ${accountId}
        and (n.network = 'whatsapp' or not exists (select from numbers r
          where r.account_id = ${accountId} and r.network = 'whatsapp' and r.first_linked_at is not null))
        and messages.created_at > clock_timestamp() - (${days}::int + 1) * interval '1 day'
      group by 1) c on c.day = d.day
    order by d.day`);
  return rows;
}

export interface TroubleRow {
  id: string;
  to: Recipient;
  type: MessageType;
  status: MessageStatus;
  error: string | null;
  createdAt: Date;
}

/**
 * The latest messages of the last `days` days that failed, are unknown, or waited in the async lane and were not sent:
 * they expired, or the service cancelled them.
 */
export async function listTroubles(
  db: Db,
  { accountId, days, limit }: { accountId: string; days: number; limit: number },
): Promise<TroubleRow[]> {
  const byService = sql`${messages.errorCode} is distinct from 'cancelled_by_person'`;
  const notSent = or(status('expired'), and(status('cancelled'), byService));
  return db
    .select({
      id: messages.id,
      to: messages.recipient,
      type: messages.type,
      status: messages.status,
      error: messages.error,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(
      and(
        eq(messages.accountId, accountId),
        or(status('failed', 'unknown'), and(eq(messages.lane, 'async'), notSent)),
        gt(messages.createdAt, daysAgo(days)),
      ),
    )
    .orderBy(desc(messages.seq))
    .limit(limit);
}

/** Which steps to its first message an account has done. */
export interface Progress {
  added: boolean;
  linked: boolean;
  key: boolean;
  sent: boolean;
}

export async function findProgress(db: Db, { accountId }: { accountId: string }): Promise<Progress> {
  // Four questions in one round trip; a select without a table is beyond the builder.
  const {
    rows: [row],
  } = await db.execute<Record<keyof Progress, boolean>>(sql`
    select
      exists (select from numbers where account_id = ${accountId} and removed_at is null) as added,
      exists (select from numbers where account_id = ${accountId} and removed_at is null
        and first_linked_at is not null) as linked,
      exists (select from api_keys where account_id = ${accountId} and revoked_at is null) as key,
      exists (select from messages where account_id = ${accountId}
        and status in ('sent', 'delivered', 'read')) as sent`);
  return row ?? { added: false, linked: false, key: false, sent: false };
}
