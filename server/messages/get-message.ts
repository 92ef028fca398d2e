import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import type { AccountScope, NumberScope } from '#server/platform/db/context.ts';
import {
  findMessageDetail,
  listTimeline,
  type MessageDetailRow,
  type TimelineRow,
} from './queries/message-list.ts';
import { findMessage, type MessageView } from './queries/outcomes.ts';

/** A message of the caller's number. Throws `not_found`, also for another number's message. */
export async function getMessage(
  { database, numberId }: NumberScope,
  { messageId }: { messageId: string },
): Promise<MessageView> {
  const message = await findMessage(database.db, { numberId, messageId });
  if (!message)
    throw new AppError('not_found', 'No message with this ID exists on the number of this API key.');
  return message;
}

export interface MessageDetail extends MessageDetailRow {
  /** What happened to it, in order. */
  timeline: TimelineRow[];
}

/** A message of an account in full. Throws `not_found`. */
export async function getMessageDetail(
  { database, accountId }: AccountScope,
  { messageId }: { messageId: string },
): Promise<MessageDetail> {
  const ref = { accountId, messageId };
  const message = await findMessageDetail(database.db, ref);
  if (!message) throw notFound('message');
  return { ...message, timeline: await listTimeline(database.db, ref) };
}
