import { and, asc, eq, sql } from 'drizzle-orm';
import type { MessageContent, MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { apiKeys, messageEvents, messages, numbers } from '#server/schema/index.ts';
import { LATER_MAX, type LaterSent, laterSent } from './later-sent.ts';
import { type MessageRange, matches, orderOf } from './message-filter.ts';
import { type MessageWait, messageWait } from './message-wait.ts';

export interface ListedMessageRow {
  id: string;
  /** Its place in the list, for the next page. */
  seq: number;
  numberId: string;
  numberLabel: string;
  to: Recipient;
  type: MessageType;
  status: MessageStatus;
  lane: Lane;
  /** It waits for its owner's decision. */
  setAside: boolean;
  /** When it was scheduled for. */
  sendAt: Date | null;
  /** Null when erased. */
  content: MessageContent | null;
  error: string | null;
  createdAt: Date;
  sentAt: Date | null;
  settledAt: Date | null;
}

/** A message in the list. */
export interface ListRow extends ListedMessageRow {
  /** As which message it was sent again, the latest; null if it was not, or only after many others. */
  sentAgainAs: string | null;
  laterSent: LaterSent | null;
}

const listed = {
  id: messages.id,
  seq: messages.seq,
  numberId: messages.numberId,
  numberLabel: numbers.label,
  to: messages.recipient,
  type: messages.type,
  status: messages.status,
  lane: messages.lane,
  setAside: messages.setAside,
  sendAt: messages.sendAt,
  content: messages.content,
  error: messages.error,
  createdAt: messages.createdAt,
  sentAt: messages.sentAt,
  settledAt: messages.settledAt,
};

/**
 * An account's messages, newest first. Labels are added to the page: the planner expects few matches of a search, and
 * would compare each of thousands with each number.
 */
export function listMessageRows(db: Db, params: MessageRange & { limit: number }): Promise<ListRow[]> {
  const { numberLabel, ...ofMessage } = listed;
  const page = db
    .select({ ...ofMessage, reference: messages.reference })
    .from(messages)
    .where(matches(db, params))
    .orderBy(...orderOf(params))
    .limit(params.limit)
    .as('page');
  const { reference: _, ...shown } = page._.selectedFields;
  return db
    .select({
      ...shown,
      numberLabel,
      // Limited, because a group can have very many later messages. The order is that of an index.
      sentAgainAs: sql<string | null>`(select later.id from (
          select l.id, l.repeats, l.status, l.seq from ${messages} l
          where l.number_id = ${page.numberId} and l.recipient = ${page.to} and l.created_at >= ${page.createdAt}
            and ${page.status} in ('failed', 'unknown', 'expired', 'cancelled')
          order by l.created_at, l.seq limit ${LATER_MAX}) later
        where later.repeats = ${page.id} and later.status not in ('expired', 'cancelled')
        order by later.seq desc limit 1)`,
      laterSent: laterSent(page),
    })
    .from(page)
    .innerJoin(numbers, eq(numbers.id, page.numberId))
    .orderBy(...orderOf(params, page));
}

/** A message in a CSV file: without its content. */
export interface ExportedMessage
  extends Omit<ListedMessageRow, 'content' | 'error' | 'lane' | 'setAside' | 'sendAt' | 'settledAt'> {
  errorCode: string | null;
  reference: string | null;
  deliveredAt: Date | null;
  readAt: Date | null;
}

/** As {@link listMessageRows}, for a CSV file. */
export function exportedMessages(
  db: Db,
  params: MessageRange & { limit: number },
): Promise<ExportedMessage[]> {
  const { id, seq, numberId, numberLabel, to, type, status, createdAt, sentAt } = listed;
  const firstAt = (event: 'delivered' | 'read') =>
    sql<Date | null>`(select min(e.at) from ${messageEvents} e where e.message_id = ${messages.id} and e.event = ${event})`.mapWith(
      messages.createdAt,
    );
  return db
    .select({
      ...{ id, seq, numberId, numberLabel, to, type, status, createdAt, sentAt },
      errorCode: messages.errorCode,
      reference: messages.reference,
      deliveredAt: firstAt('delivered'),
      readAt: firstAt('read'),
    })
    .from(messages)
    .innerJoin(numbers, eq(numbers.id, messages.numberId))
    .where(matches(db, params))
    .orderBy(...orderOf(params))
    .limit(params.limit);
}

export interface MessageDetailRow extends ListedMessageRow, MessageWait {
  network: (typeof numbers.$inferSelect)['network'];
  keyId: string | null;
  keyName: string | null;
  keyHint: string | null;
  requestId: string | null;
  /** Its key is stored only as a hash. False once a repeat has taken the key for a new message. */
  withIdempotencyKey: boolean;
  /** The caller's own ID for it. */
  reference: string | null;
  /** The message that was sent again as this one, unless it was deleted. */
  repeats: string | null;
  /** As which messages it was sent again, the latest first. */
  sentAgainAs: string[];
  laterSent: LaterSent | null;
  waMessageId: string | null;
  deadlineAt: Date;
  dispatchedAt: Date | null;
  /** How long after its request its caller disconnected before the response; null if none did. */
  hungUpAfterMs: number | null;
  mediaStatus: (typeof messages.$inferSelect)['mediaStatus'];
  mediaMimeType: string | null;
  mediaBytes: number | null;
  mediaSha256: string | null;
}

/** So many repeats of a message are named. */
const SENT_AGAIN_MAX = 10;

/** One message of an account. */
export async function findMessageDetail(
  db: Db,
  params: { accountId: string; messageId: string },
): Promise<MessageDetailRow | null> {
  const [found] = await db
    .select({
      ...listed,
      network: numbers.network,
      keyId: messages.apiKeyId,
      keyName: apiKeys.name,
      keyHint: apiKeys.hint,
      requestId: messages.requestId,
      withIdempotencyKey: sql<boolean>`${messages.idempotencyKey} is not null`,
      reference: messages.reference,
      repeats: sql<string | null>`(select o.id from ${messages} o where o.id = ${messages.repeats})`,
      sentAgainAs: sql<
        string[]
        // The number, recipient and time are those of an index.
      >`array(select l.id from ${messages} l
        where l.number_id = ${messages.numberId} and l.recipient = ${messages.recipient} and l.created_at >= ${messages.createdAt}
          and l.repeats = ${messages.id}
        order by l.seq desc limit ${SENT_AGAIN_MAX})`,
      laterSent: laterSent({ ...listed, reference: messages.reference }),
      waMessageId: messages.waMessageId,
      deadlineAt: messages.deadlineAt,
      dispatchedAt: messages.dispatchedAt,
      hungUpAfterMs: messages.hungUpAfterMs,
      ...messageWait,
      mediaStatus: messages.mediaStatus,
      mediaMimeType: messages.mediaMimeType,
      mediaBytes: messages.mediaBytes,
      mediaSha256: messages.mediaSha256,
    })
    .from(messages)
    .innerJoin(numbers, eq(numbers.id, messages.numberId))
    .leftJoin(apiKeys, eq(apiKeys.id, messages.apiKeyId))
    .where(and(eq(messages.id, params.messageId), eq(messages.accountId, params.accountId)));
  return found ?? null;
}

/** Marks a message as dismissed; false if the account has none with this id. */
export async function markDismissed(
  db: Db,
  params: { accountId: string; messageId: string },
): Promise<boolean> {
  const rows = await db
    .update(messages)
    .set({ dismissedAt: now })
    .where(and(eq(messages.id, params.messageId), eq(messages.accountId, params.accountId)))
    .returning({ id: messages.id });
  return rows.length > 0;
}

export interface TimelineRow {
  event: (typeof messageEvents.$inferSelect)['event'];
  detail: string | null;
  at: Date;
}

/** What happened to a message, in order. */
export function listTimeline(
  db: Db,
  params: { accountId: string; messageId: string },
): Promise<TimelineRow[]> {
  return db
    .select({ event: messageEvents.event, detail: messageEvents.detail, at: messageEvents.at })
    .from(messageEvents)
    .innerJoin(messages, eq(messages.id, messageEvents.messageId))
    .where(and(eq(messages.id, params.messageId), eq(messages.accountId, params.accountId)))
    .orderBy(asc(messageEvents.id));
}
