import { notFound } from '#server/core/not-found.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import {
  findMessageDetail,
  listTimeline,
  type MessageDetailRow,
  type TimelineRow,
} from './queries/message-list.ts';

export interface MessageDetail extends MessageDetailRow {
  /** What happened to it, in order. */
  timeline: TimelineRow[];
}

/** A message of an account with all that is known of it. Throws `not_found`. */
export async function getMessageDetail(
  { database, accountId }: AccountScope,
  { messageId }: { messageId: string },
): Promise<MessageDetail> {
  const ref = { accountId, messageId };
  const message = await findMessageDetail(database.db, ref);
  if (!message) throw notFound('message');
  return { ...message, timeline: await listTimeline(database.db, ref) };
}
