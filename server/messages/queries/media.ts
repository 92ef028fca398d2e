import type { Holding } from '#server/core/lease.ts';
import type { MediaContent } from '#server/core/message.ts';
import type { OutcomeCode } from '#server/core/outcomes.ts';
import type { Database } from '#server/platform/db/client.ts';

export interface PendingMedia {
  messageId: string;
  accountId: string;
  content: MediaContent;
}

/** Messages of a number whose file is still to be fetched, oldest first. */
export async function pendingMedia(
  database: Database,
  params: { numberId: string },
): Promise<PendingMedia[]> {
  return database.sql<PendingMedia[]>`
    select id as "messageId", account_id as "accountId", content from messages
    where number_id = ${params.numberId} and status = 'queued' and media_status = 'pending' order by seq`;
}

/** Messages of a number whose file was fetched and has not left yet. */
export async function readyMedia(database: Database, params: { numberId: string }): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select id from messages where number_id = ${params.numberId} and status = 'queued' and media_status = 'ready'`;
  return rows.map((row) => row.id);
}

/**
 * The file is there, on the volume of the lease's holder. False, and nothing is changed, when the message is over or
 * the lease is another's by now.
 */
export async function writeMediaReady(
  database: Database,
  { numberId, workerId, fence }: Holding,
  params: { messageId: string; mimeType: string; bytes: number; sha256: string },
): Promise<boolean> {
  const rows = await database.sql`
    with ready as (
      update messages set media_status = 'ready', media_mime_type = ${params.mimeType}, media_bytes = ${params.bytes},
        media_sha256 = ${params.sha256}
      where id = ${params.messageId} and number_id = ${numberId} and status = 'queued' and media_status = 'pending'
        and exists (select from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence})
      returning id
    ) insert into message_events (message_id, event) select id, 'media_ready' from ready returning 1`;
  return rows.length > 0;
}

/** Files are to be fetched again: they were on a volume that this worker does not see. Under the fence. */
export async function writeMediaPending(
  database: Database,
  { numberId, workerId, fence }: Holding,
  params: { messageIds: string[] },
): Promise<void> {
  await database.sql`
    update messages m set media_status = 'pending' from leases l
    where m.id = any(${params.messageIds}) and m.number_id = ${numberId} and m.status = 'queued' and m.media_status = 'ready'
      and l.number_id = m.number_id and l.worker_id = ${workerId} and l.fence = ${fence}`;
}

/**
 * The file cannot be had: the message failed, and nothing was sent. Changes nothing when the lease is another's by
 * now, who fetches it for itself.
 */
export async function writeMediaFailed(
  database: Database,
  { numberId, workerId, fence }: Holding,
  params: { messageId: string; errorCode: OutcomeCode; error: string },
): Promise<void> {
  await database.sql`
    with failed as (
      update messages set status = 'failed', media_status = 'failed', settled_at = clock_timestamp(),
        error_code = ${params.errorCode}, error = ${params.error}
      where id = ${params.messageId} and number_id = ${numberId} and status = 'queued' and media_status = 'pending'
        and exists (select from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence})
      returning id
    ) insert into message_events (message_id, event, detail) select id, 'failed', ${params.errorCode} from failed`;
}

/** Messages that may still need their spooled file, with the account of each. */
export async function mediaInUse(database: Database): Promise<Map<string, string>> {
  const rows = await database.sql<{ id: string; accountId: string }[]>`
    select id, account_id as "accountId" from messages
    where status in ('queued', 'sending') and media_status in ('pending', 'ready')`;
  return new Map(rows.map(({ id, accountId }) => [id, accountId]));
}
