import { notFound } from '#server/core/not-found.ts';
import type { Db } from '#server/platform/db/client.ts';
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
  db: Db,
  params: { accountId: string; messageId: string },
): Promise<MessageDetail> {
  const message = await findMessageDetail(db, params);
  if (!message) throw notFound('message');
  return { ...message, timeline: await listTimeline(db, params) };
}
