import { and, asc, eq, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { apiKeys, messageEvents, messages, numbers } from '#server/schema/index.ts';
import { isScheduled } from './is-scheduled.ts';
import { LATER_MAX, laterSent } from './later-sent.ts';
import { messageError } from './message-error.ts';
import { type MessageRange, matches, orderOf } from './message-filter.ts';
import { messageWait } from './message-wait.ts';

const listed = {
  ...pick(messages, 'id', 'seq', 'numberId'),
  numberLabel: numbers.label,
  to: messages.recipient,
  ...pick(messages, 'type', 'status', 'lane', 'setAside', 'sendAt', 'content'),
  error: messageError.as('error'),
  ...pick(messages, 'createdAt', 'sentAt', 'settledAt'),
};

/**
 * An account's messages, newest first. Labels are added to the page: the planner expects few matches of a search, and
 * would compare each of thousands with each number.
 */
export function listMessageRows(db: Db, params: MessageRange & { limit: number }) {
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
      /** As which message it was sent again, the latest; null if it was not, or only after many others. */
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

/** As {@link listMessageRows}, for a CSV file: without the content. */
export function exportedMessages(db: Db, params: MessageRange & { limit: number }) {
  const { id, seq, numberId, numberLabel, to, type, status, createdAt, sentAt } = listed;
  const firstAt = (...events: ('delivered' | 'read')[]) =>
    sql<Date | null>`(select min(e.at) from ${messageEvents} e where e.message_id = ${messages.id} and e.event in ${events})`.mapWith(
      messages.createdAt,
    );
  return db
    .select({
      ...{ id, seq, numberId, numberLabel, to, type, status, createdAt, sentAt },
      errorCode: messages.errorCode,
      reference: messages.reference,
      // As in the API: if only the read was reported, when it was read.
      deliveredAt: firstAt('delivered', 'read'),
      readAt: firstAt('read'),
    })
    .from(messages)
    .innerJoin(numbers, eq(numbers.id, messages.numberId))
    .where(matches(db, params))
    .orderBy(...orderOf(params))
    .limit(params.limit);
}

/** So many repeats of a message are named. */
const SENT_AGAIN_MAX = 10;

export async function findMessageDetail(db: Db, params: { accountId: string; messageId: string }) {
  const [found] = await db
    .select({
      ...listed,
      network: numbers.network,
      scheduledAhead: isScheduled('messages'),
      keyId: messages.apiKeyId,
      keyName: apiKeys.name,
      keyHint: apiKeys.hint,
      requestId: messages.requestId,
      /** Its key is stored only as a hash. False once a repeat has taken the key for a new message. */
      withIdempotencyKey: sql<boolean>`coalesce(position(' ' in ${messages.idempotencyKey}) = 0, false)`,
      reference: messages.reference,
      /** The message that was sent again as this one, unless it was deleted. */
      repeats: sql<string | null>`(select o.id from ${messages} o where o.id = ${messages.repeats})`,
      /** As which messages it was sent again, the latest first. Number, recipient and time are those of an index. */
      sentAgainAs: sql<string[]>`array(select l.id from ${messages} l
        where l.number_id = ${messages.numberId} and l.recipient = ${messages.recipient} and l.created_at >= ${messages.createdAt}
          and l.repeats = ${messages.id}
        order by l.seq desc limit ${SENT_AGAIN_MAX})`,
      laterSent: laterSent({ ...listed, reference: messages.reference }),
      ...pick(messages, 'waMessageId', 'deadlineAt', 'dispatchedAt', 'hungUpAfterMs'),
      ...messageWait,
      ...pick(messages, 'mediaStatus', 'mediaMimeType', 'mediaBytes', 'mediaSha256'),
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
  const { rowCount } = await db
    .update(messages)
    .set({ dismissedAt: now })
    .where(and(eq(messages.id, params.messageId), eq(messages.accountId, params.accountId)));
  return rowCount === 1;
}

export function listTimeline(db: Db, params: { accountId: string; messageId: string }) {
  return db
    .select({ event: messageEvents.event, detail: messageEvents.detail, at: messageEvents.at })
    .from(messageEvents)
    .innerJoin(messages, eq(messages.id, messageEvents.messageId))
    .where(and(eq(messages.id, params.messageId), eq(messages.accountId, params.accountId)))
    .orderBy(asc(messageEvents.id));
}
