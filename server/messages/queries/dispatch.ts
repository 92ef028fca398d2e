import { sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import { type MessageOutcome, storedOutcome } from '#server/core/message-outcome.ts';
import { sourcesOf } from '#server/core/message-state.ts';
import type { Database } from '#server/platform/db/client.ts';
import { formsOfRow } from './same-person.ts';

export type OutcomeWrite =
  | { status: 'sent' | 'delivered' | 'read' }
  | ({ status: 'failed' | 'unknown' } & MessageOutcome);

/**
 * Writes the outcome of a dispatched message under the fence, unless its state cannot follow the stored one.
 * Returns whether it was written. The first acceptance starts the interval again: after a long upload the next
 * message must not leave at once.
 */
export async function writeOutcome(
  database: Database,
  holding: Holding,
  params: OutcomeWrite & { waMessageId: string; intervalMs: number },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const { status, waMessageId } = params;
  const failure = 'errorCode' in params ? params : null;
  const accepted = failure === null;
  // One statement: outcome, event, interval and contact change together. An acceptance does not wait for the disk:
  // if PostgreSQL crashes, the message is `sending` again, is not sent twice, and its outcome comes from the
  // page's own list. An outcome that is found late has the time of now: the page's list has no time of acceptance.
  const rows = await database.db.run(sql`
    with was as (
      select id, status from messages where number_id = ${numberId} and wa_message_id = ${waMessageId}
    ), changed as (
      update messages m set status = ${status},
        error_code = ${failure?.errorCode ?? null}, outcome = ${storedOutcome(failure?.outcome)}::jsonb,
        sent_at = case when ${accepted} then coalesce(m.sent_at, clock_timestamp()) else m.sent_at end,
        settled_at = clock_timestamp()
      from leases l
      where m.number_id = ${numberId} and m.wa_message_id = ${waMessageId} and m.status = any(${sql.param(sourcesOf(status))})
        and l.number_id = m.number_id and l.worker_id = ${workerId} and l.fence = ${fence}
      returning m.id, m.number_id, m.recipient
    ), spaced as (
      update leases set next_send_at = greatest(next_send_at, clock_timestamp() + ${params.intervalMs} * interval '1 millisecond')
      where number_id = ${numberId} and ${accepted}
        and exists (select from changed join was using (id) where was.status = 'sending')
    ), known as (
      insert into recipients as r (number_id, recipient, known_at)
      select changed.number_id, f.form, clock_timestamp() from changed cross join lateral ${formsOfRow('changed')} f
      where ${accepted} and changed.recipient like '%@c.us' and not exists (
        select from recipients k where k.number_id = ${numberId} and k.recipient = changed.recipient
          and k.known_at > clock_timestamp() - interval '1 day')
      on conflict (number_id, recipient) do update set known_at = excluded.known_at, refused_at = null
    )
    insert into message_events (message_id, event, detail) select id, ${status}, ${failure?.errorCode ?? null} from changed
    where not ${accepted} or set_config('synchronous_commit', 'off', true) = 'off' returning 1`);
  return rows.length > 0;
}

/** What this worker is sending under its leases. */
export async function findSending(
  database: Database,
  { workerId }: { workerId: string },
): Promise<{ numberId: string; fence: number; waMessageId: string }[]> {
  return database.db.run<{ numberId: string; fence: number; waMessageId: string }>(sql`
    select m.number_id as "numberId", m.fence::float8 as fence, m.wa_message_id as "waMessageId"
    from messages m join leases l on l.number_id = m.number_id and l.fence = m.fence
    where m.status = 'sending' and l.worker_id = ${workerId}`);
}

/** Writes an event of a message, without waiting for the disk: nothing depends on it. */
export async function noteStep(
  database: Database,
  params: { messageId: string; event: 'media_ready' | 'recipient_resolved' | 'handed_over'; detail?: string },
): Promise<void> {
  // The `where` also switches off the wait for the disk, in the same statement.
  await database.db.run(sql`
    insert into message_events (message_id, event, detail) select ${params.messageId}, ${params.event}, ${params.detail ?? null}
    where set_config('synchronous_commit', 'off', true) = 'off'`);
}
