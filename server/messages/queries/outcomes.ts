import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { type MessageOutcome, storedOutcome } from '#server/core/message-outcome.ts';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { msFromNow, now } from '#server/platform/db/expressions.ts';
import { messages } from '#server/schema/index.ts';
import { messageError, outcomeText } from './message-error.ts';

export const messageView = {
  id: messages.id,
  to: messages.recipient,
  ...pick(messages, 'type', 'status', 'errorCode'),
  error: messageError,
};

/** A message as its sender sees it. */
export type MessageView = SelectResultFields<typeof messageView>;

/** A message of one number; null if there is none, or if it is another number's. */
export async function findMessage(
  db: Db,
  params: { numberId: string; messageId: string },
): Promise<MessageView | null> {
  const [row] = await db
    .select(messageView)
    .from(messages)
    .where(and(eq(messages.id, params.messageId), eq(messages.numberId, params.numberId)));
  return row ?? null;
}

/**
 * Ends a waiting message whose deadline is at most `deadlineWithinMs` away. Null if it no longer waits or has more
 * time.
 */
export async function endWaiting(
  db: Db,
  params: MessageOutcome & {
    numberId: string;
    messageId: string;
    deadlineWithinMs: number;
    status: 'expired' | 'cancelled';
  },
): Promise<MessageView | null> {
  const { status, errorCode, outcome } = params;
  // SQL: one statement, so that a message never ends without its event.
  const [row] = await db.run<Omit<MessageView, 'error'>>(sql`
    with ended as (
      update messages set status = ${status}, error_code = ${errorCode}, outcome = ${storedOutcome(outcome)}::jsonb, settled_at = clock_timestamp()
      where id = ${params.messageId} and number_id = ${params.numberId} and status = 'queued'
        and deadline_at <= ${msFromNow(params.deadlineWithinMs)}
      returning id, recipient as "to", type, status, error_code as "errorCode"
    ), noted as (
      insert into message_events (message_id, event, detail) select id, status, ${errorCode} from ended
    )
    select * from ended`);
  return row ? { ...row, error: outcomeText(params) } : null;
}

/** Moves a message to the async lane, because its caller no longer waits. */
export async function continueAsync(db: Db, params: { numberId: string; messageId: string }): Promise<void> {
  await db
    .update(messages)
    .set({ lane: 'async', answered: true })
    .where(and(eq(messages.id, params.messageId), eq(messages.numberId, params.numberId)));
}

/** Records that a caller's answer was written. */
export async function noteAnswer(db: Db, params: { messageId: string }): Promise<void> {
  await db
    .update(messages)
    .set({ answered: true })
    .where(and(eq(messages.id, params.messageId), eq(messages.answered, false)));
}

/**
 * Records that a caller in the web process `webId` hung up before the answer was written, unless it has come back at
 * another one. `hungUpAfterMs`: after the request; null if the service ended the connection.
 */
export async function recordHangUp(
  db: Db,
  { messageId, webId, hungUpAfterMs }: { messageId: string; webId: string; hungUpAfterMs: number | null },
): Promise<void> {
  const isHere = or(eq(messages.webId, webId), isNotNull(messages.idempotencyKey));
  await db
    .update(messages)
    .set({ callerLeftAt: now, ...(hungUpAfterMs === null ? {} : { hungUpAfterMs }) })
    .where(and(eq(messages.id, messageId), eq(messages.answered, false), isHere));
}
