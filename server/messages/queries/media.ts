import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { MediaContent } from '#server/core/message.ts';
import { type MessageOutcome, storedOutcome } from '#server/core/message-outcome.ts';
import { leaseOf } from '#server/numbers/queries/leases.ts';
import type { Database } from '#server/platform/db/client.ts';
import { anyOf } from '#server/platform/db/expressions.ts';
import { leases, messages } from '#server/schema/index.ts';

// Written out as in the index of waiting messages, so that every plan may use it.
const isQueued = eq(messages.status, 'queued').inlineParams();

export interface PendingMedia {
  messageId: string;
  accountId: string;
  content: MediaContent;
}

/** A number's messages whose file is not fetched yet, oldest first. */
export async function pendingMedia(
  database: Database,
  params: { numberId: string },
): Promise<PendingMedia[]> {
  return database.db
    .select({
      messageId: messages.id,
      accountId: messages.accountId,
      content: sql<MediaContent>`${messages.content}`,
    })
    .from(messages)
    .where(and(eq(messages.numberId, params.numberId), isQueued, eq(messages.mediaStatus, 'pending')))
    .orderBy(asc(messages.seq));
}

/** A number's waiting messages whose file is fetched, and its checksum. */
export async function readyMedia(
  database: Database,
  params: { numberId: string },
): Promise<{ messageId: string; sha256: string | null }[]> {
  return database.db
    .select({ messageId: messages.id, sha256: messages.mediaSha256 })
    .from(messages)
    .where(and(eq(messages.numberId, params.numberId), isQueued, eq(messages.mediaStatus, 'ready')));
}

/**
 * Records that the file is on the volume of the lease's holder. False and no change if the message no longer waits
 * or the lease is lost.
 */
export async function writeMediaReady(
  database: Database,
  { numberId, workerId, fence }: Holding,
  params: { messageId: string; mimeType: string; bytes: number; sha256: string },
): Promise<boolean> {
  // One statement, so that the message never changes without its event.
  const rows = await database.db.run(sql`
    with ready as (
      update messages set media_status = 'ready', media_mime_type = ${params.mimeType}, media_bytes = ${params.bytes},
        media_sha256 = ${params.sha256}
      where id = ${params.messageId} and number_id = ${numberId} and status = 'queued' and media_status = 'pending'
        and exists (select from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence})
      returning id
    ) insert into message_events (message_id, event) select id, 'media_ready' from ready returning 1`);
  return rows.length > 0;
}

/**
 * Marks files for another download, because they are on a volume that this worker does not have. Under the fence.
 */
export async function writeMediaPending(
  database: Database,
  holding: Holding,
  params: { messageIds: string[] },
): Promise<void> {
  await database.db
    .update(messages)
    .set({ mediaStatus: 'pending' })
    .from(leases)
    .where(
      and(
        anyOf(messages.id, params.messageIds),
        eq(messages.numberId, leases.numberId),
        leaseOf(holding),
        isQueued,
        eq(messages.mediaStatus, 'ready'),
      ),
    );
}

/**
 * Records that the file cannot be fetched: the message failed and was not sent. Changes nothing if the lease is
 * lost; the next holder downloads the file again.
 */
export async function writeMediaFailed(
  database: Database,
  { numberId, workerId, fence }: Holding,
  params: MessageOutcome & { messageId: string },
): Promise<void> {
  // One statement, as above.
  await database.db.run(sql`
    with failed as (
      update messages set status = 'failed', media_status = 'failed', settled_at = clock_timestamp(),
        error_code = ${params.errorCode}, outcome = ${storedOutcome(params.outcome)}::jsonb
      where id = ${params.messageId} and number_id = ${numberId} and status = 'queued' and media_status = 'pending'
        and exists (select from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence})
      returning id
    ) insert into message_events (message_id, event, detail) select id, 'failed', ${params.errorCode} from failed`);
}

/** Messages that may still need their spooled file, with their accounts. */
export async function mediaInUse(database: Database): Promise<Map<string, string>> {
  const rows = await database.db
    .select({ id: messages.id, accountId: messages.accountId })
    .from(messages)
    .where(
      and(
        inArray(messages.status, ['queued', 'sending']),
        inArray(messages.mediaStatus, ['pending', 'ready']).inlineParams(),
      ),
    );
  return new Map(rows.map(({ id, accountId }) => [id, accountId]));
}
