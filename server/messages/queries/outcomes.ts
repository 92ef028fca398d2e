import { and, eq, sql } from 'drizzle-orm';
import type { MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { OutcomeCode } from '#server/core/outcomes.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Db } from '#server/platform/db/client.ts';
import { messageEvents, messages } from '#server/schema/index.ts';

/** A message as its sender may know it. */
export interface MessageView {
  id: string;
  to: Recipient;
  type: MessageType;
  status: MessageStatus;
  /** What became of it, and the sentence for its sender; null unless something went wrong. */
  errorCode: OutcomeCode | null;
  error: string | null;
}

const view = {
  id: messages.id,
  to: messages.recipient,
  type: messages.type,
  status: messages.status,
  errorCode: messages.errorCode,
  error: messages.error,
};

/** A message of one number; null when there is none or it is another number's. */
export async function findMessage(
  db: Db,
  params: { numberId: string; messageId: string },
): Promise<MessageView | null> {
  const [row] = await db
    .select(view)
    .from(messages)
    .where(and(eq(messages.id, params.messageId), eq(messages.numberId, params.numberId)));
  return row ?? null;
}

/**
 * Ends a message that still waits and whose deadline is at most `deadlineWithinMs` away; null when it has left
 * the queue or has more time.
 */
export async function endWaiting(
  db: Db,
  params: {
    numberId: string;
    messageId: string;
    deadlineWithinMs: number;
    status: 'expired' | 'cancelled';
    errorCode: OutcomeCode;
    error: string;
  },
): Promise<MessageView | null> {
  const { status, errorCode, error } = params;
  const [row] = await db
    .update(messages)
    .set({ status, errorCode, error, settledAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(messages.id, params.messageId),
        eq(messages.numberId, params.numberId),
        eq(messages.status, 'queued'),
        sql`${messages.deadlineAt} <= clock_timestamp() + ${params.deadlineWithinMs} * interval '1 millisecond'`,
      ),
    )
    .returning(view);
  if (row) await db.insert(messageEvents).values({ messageId: row.id, event: status, detail: errorCode });
  return row ?? null;
}

/** The caller's wait is over, the message goes on without it: it moves to the other lane. */
export async function continueAsync(db: Db, params: { numberId: string; messageId: string }): Promise<void> {
  await db
    .update(messages)
    .set({ lane: 'async', answered: true })
    .where(and(eq(messages.id, params.messageId), eq(messages.numberId, params.numberId)));
}

/** Notes that a caller's answer was written. */
export async function noteAnswer(db: Db, params: { messageId: string }): Promise<void> {
  await db
    .update(messages)
    .set({ answered: true })
    .where(and(eq(messages.id, params.messageId), eq(messages.answered, false)));
}

/**
 * Notes that a caller left before the answer was written, so many ms after their request; null where the
 * product ended the connection.
 */
export async function noteDeparture(
  db: Db,
  { messageId, hungUpAfterMs }: { messageId: string; hungUpAfterMs: number | null },
): Promise<void> {
  await db
    .update(messages)
    .set({ callerLeftAt: sql`clock_timestamp()`, ...(hungUpAfterMs === null ? {} : { hungUpAfterMs }) })
    .where(and(eq(messages.id, messageId), eq(messages.answered, false)));
}
