import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import type { AccountScope, NumberReadScope } from '#server/platform/db/context.ts';
import { findEarlierPhone } from './queries/earlier-phone.ts';
import { findMessageDetail, listTimeline } from './queries/message-list.ts';
import {
  findMessageRecord,
  listMessageRecords,
  type MessageCursor,
  type MessagePage,
  type MessageRecord,
} from './queries/message-records.ts';

/** A message of the caller's number. Throws `not_found`, also for another number's message. */
export async function getMessage(
  { database, numberId }: NumberReadScope,
  { messageId }: { messageId: string },
): Promise<MessageRecord> {
  const message = await findMessageRecord(database.db, { numberId, messageId });
  if (!message)
    throw new AppError('not_found', 'No message with this ID exists on the number of this API key.');
  return message;
}

/** A page of the messages of the caller's number, newest first; `next` is the `after` of the following page. */
export async function listNumberMessages(
  { database, numberId }: NumberReadScope,
  input: MessagePage,
): Promise<{ messages: MessageRecord[]; next: MessageCursor | null }> {
  const { limit } = input;
  const rows = await listMessageRecords(database.db, { ...input, numberId, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { messages: page, next: rows.length > limit ? (page.at(-1) ?? null) : null };
}

export type { MessageCursor, MessageRecord };

/** A message of an account in full. Throws `not_found`. */
export async function getMessageDetail(
  { database, accountId }: AccountScope,
  { messageId }: { messageId: string },
) {
  const ref = { accountId, messageId };
  const message = await findMessageDetail(database.db, ref);
  if (!message) throw notFound('message');
  const [timeline, earlier] = await Promise.all([
    listTimeline(database.db, ref),
    findEarlierPhone(database.db, ref),
  ]);
  return {
    ...message,
    /** The message’s states, in order. */
    timeline,
    /**
     * Set if the number has been linked to another phone since the message was sent: its phone (digits) then,
     * null if it is not known.
     */
    earlierPhone: earlier?.changed ? { phone: earlier.phone } : null,
  };
}
