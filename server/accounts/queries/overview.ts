import { and, desc, eq, gt, gte, inArray, isNull, not, or, sql } from 'drizzle-orm';
import type { MessageContent, MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Db } from '#server/platform/db/client.ts';
import { countIf, daysAgo } from '#server/platform/db/expressions.ts';
import { messages } from '#server/schema/index.ts';

/** How many messages had each outcome. */
export interface Counts {
  sent: number;
  delivered: number;
  failed: number;
  unknown: number;
  expired: number;
  cancelled: number;
}

const status = (...among: MessageStatus[]) => inArray(messages.status, among);
const ACCEPTED = ['sent', 'delivered', 'read'] as const;

const counts = {
  sent: countIf(status(...ACCEPTED)),
  delivered: countIf(status('delivered', 'read')),
  failed: countIf(status('failed')),
  unknown: countIf(status('unknown')),
  expired: countIf(status('expired')),
  cancelled: countIf(status('cancelled')),
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

export interface TroubleRow {
  id: string;
  to: Recipient;
  type: MessageType;
  status: MessageStatus;
  error: string | null;
  reference: string | null;
  /** Null once it is erased. */
  content: MessageContent | null;
  createdAt: Date;
}

/**
 * Whether a message was sent again: a later one has the same content and recipient, and no other reference. A
 * later one that expired or was cancelled does not count.
 */
const sentAgain = sql`exists (
  select from messages later where later.number_id = ${messages.numberId} and later.recipient = ${messages.recipient}
    and later.created_at >= ${messages.createdAt} and later.seq > ${messages.seq} and later.content = ${messages.content}
    and (later.reference = ${messages.reference}) is not false and later.status not in ('expired', 'cancelled'))`;

/**
 * The latest messages of the last `days` days that failed, are unknown, or waited in the async lane and were not
 * sent: they expired, or the service cancelled them. Leaves out those that were sent again or dismissed.
 */
export async function listTroubles(
  db: Db,
  { accountId, days, limit }: { accountId: string; days: number; limit: number },
): Promise<TroubleRow[]> {
  const byService = sql`coalesce(${messages.errorCode}, '') not in ('cancelled_by_person', 'cancelled_by_caller')`;
  const notSent = or(status('expired'), and(status('cancelled'), byService));
  return db
    .select({
      id: messages.id,
      to: messages.recipient,
      type: messages.type,
      status: messages.status,
      error: messages.error,
      reference: messages.reference,
      content: messages.content,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(
      and(
        eq(messages.accountId, accountId),
        or(status('failed', 'unknown'), and(eq(messages.lane, 'async'), notSent)),
        gt(messages.createdAt, daysAgo(days)),
        isNull(messages.dismissedAt),
        not(sentAgain),
      ),
    )
    .orderBy(desc(messages.seq))
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
  const {
    rows: [row],
  } = await db.execute<Record<keyof Progress, boolean>>(sql`
    select
      exists (select from numbers where account_id = ${accountId} and removed_at is null
        and network = 'whatsapp' and first_linked_at is not null) as phone,
      exists (select from api_keys where account_id = ${accountId} and revoked_at is null) as key,
      exists (select from messages where account_id = ${accountId}
        and status in ('sent', 'delivered', 'read')) as sent`);
  return row ?? { phone: false, key: false, sent: false };
}
