import type { MessageContent } from '#server/core/message.ts';
import { type MessageStatus, sourcesOf } from '#server/core/message-state.ts';
import { DISPATCH_MARGIN_MS, type Holding } from '#server/numbers/queries/leases.ts';
import type { Database } from '#server/platform/db/client.ts';
import { closedUntil, IS_KEPT_BACK, isKnown } from './new-contacts.ts';

const BACKEND_ENDS_WITHIN_MS = 5000;
const LOST_IN_SENDING = 'The connection was lost while this message was being sent. It may have arrived.';

export interface ClaimedMessage {
  id: string;
  recipient: string;
  content: MessageContent;
  lane: 'plain' | 'async';
  mediaMimeType: string | null;
  mediaBytes: number | null;
  requestId: string | null;
  /** Since its acceptance, and since it could have left; null when it is found again after a lost answer. */
  acceptedMsAgo: number | null;
  lateMs: number | null;
}

/** What was claimed, while that is still committing. */
export interface Claim {
  message: ClaimedMessage;
  /** Rejects when it is not certain that it is claimed. */
  committed: Promise<void>;
}

/**
 * Claims a number's slot for its next message, in one statement: the slot must have come on the database's
 * clock, the fence must hold, the number must be connected. In the same transaction the message gets the id
 * that it will have at WhatsApp and becomes `sending`, and the next slot is an interval away. Null when the
 * slot has not come or nothing may leave. The message may be prepared at once; it may leave, and may be
 * written about, when the claim is committed.
 *
 * The order: every fourth slot is the async lane's, a lane is first in, first out, and no message overtakes
 * an earlier one to the same recipient (an async message with a plain one behind it to the same recipient
 * counts as plain). What is set aside is not in the queue: it neither leaves nor keeps others back.
 */
export async function claimSlot(
  database: Database,
  holding: Holding,
  params: { waMessageId: string; intervalMs: number; pageBuild?: string | null },
): Promise<Claim | null> {
  const { numberId, workerId, fence } = holding;
  const { rows, committed } = await database.sql.ahead(
    (sql) => sql<ClaimedMessage[]>`
    with slot as (
      select l.number_id, l.next_send_at, l.slots % 4 = 3 as async_first,
        coalesce(${closedUntil(sql)} > clock_timestamp(), false) as closed from leases l join numbers n on n.id = l.number_id
      where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
        and l.expires_at > clock_timestamp() + ${DISPATCH_MARGIN_MS} * interval '1 millisecond'
        and l.next_send_at <= clock_timestamp()
        and n.status = 'CONNECTED' and (n.held_at is null or n.held_to_decide) and n.suspended_at is null and n.removed_at is null
      for update of l
    ), pick as (
      select m.id from messages m join slot on slot.number_id = m.number_id
      where m.status = 'queued' and not m.set_aside and m.media_status in ('none', 'ready') and m.deadline_at > clock_timestamp()
        and ((coalesce(m.not_before <= clock_timestamp(), true) and not slot.closed) or ${isKnown(sql)})
        and not exists (select from messages e
          where e.number_id = m.number_id and e.status = 'queued' and not e.set_aside and e.recipient = m.recipient and e.seq < m.seq)
        and not exists (select from api_keys k where k.id = m.api_key_id and k.revoked_at is not null)
      order by (m.lane = 'async' and not exists (select from messages p
          where p.number_id = m.number_id and p.status = 'queued' and p.recipient = m.recipient and p.lane = 'plain'))
        <> slot.async_first, m.seq
      limit 1 for update of m
    ), claimed as (
      update messages m set status = 'sending', wa_message_id = ${params.waMessageId}, fence = ${fence}, dispatched_at = clock_timestamp(),
        page_build = ${params.pageBuild ?? null}
      from pick, slot where m.id = pick.id
      returning m.id, m.recipient, m.content, m.lane, m.media_mime_type, m.media_bytes, m.request_id,
        clock_timestamp() - m.created_at as waited, clock_timestamp() - greatest(slot.next_send_at, m.created_at) as late
    ), taken as (
      update leases set next_send_at = clock_timestamp() + ${params.intervalMs} * interval '1 millisecond', slots = slots + 1
      where number_id = ${numberId} and exists (select from claimed)
    ), noted as (
      insert into message_events (message_id, event) select id, 'slot_claimed' from claimed
    )
    select id, recipient, content, lane, media_mime_type as "mediaMimeType", media_bytes as "mediaBytes", request_id as "requestId",
      (extract(epoch from waited) * 1000)::float8 as "acceptedMsAgo", (extract(epoch from late) * 1000)::float8 as "lateMs"
    from claimed`,
  );
  const [message] = rows;
  return message ? { message, committed } : null;
}

/**
 * The message that a claim with this id has taken, for one whose answer was lost; null when it took none. Its
 * connection's process is ended first: it may not have begun the claim that has reached it, and would do it when
 * nobody looks any more. What is about to commit holds the lease's lock, so once we have that, it is decided.
 * Throws when the process does not end in time.
 */
export async function findClaim(
  database: Database,
  holding: Holding,
  params: { waMessageId: string; backendPid: number | null },
): Promise<ClaimedMessage | null> {
  const { numberId, fence } = holding;
  const [backend] = await database.sql<{ ended: boolean }[]>`
    select pg_terminate_backend(pid, ${BACKEND_ENDS_WITHIN_MS}) as ended from pg_stat_activity
    where pid = ${params.backendPid} and usename = current_user and pid <> pg_backend_pid()`;
  if (backend?.ended === false) throw new Error('the connection of a claim does not end');
  return database.sql.begin(async (sql) => {
    await sql`select 1 from leases where number_id = ${numberId} for update`;
    const [row] = await sql<ClaimedMessage[]>`
      select id, recipient, content, lane, media_mime_type as "mediaMimeType", media_bytes as "mediaBytes", request_id as "requestId",
        null as "acceptedMsAgo", null as "lateMs"
      from messages where number_id = ${numberId} and wa_message_id = ${params.waMessageId} and fence = ${fence}
        and status = 'sending'`;
    return row ?? null;
  });
}

export interface Outlook {
  /** Messages that wait for a slot, their media there. */
  waiting: number;
  /** Until the next slot in ms, 0 or less when it is free. */
  slotInMs: number;
  /** Until the first of them may leave, in ms, where all are to new people who have to wait; else 0. */
  contactInMs: number;
}

/** When to look again: what waits on a number, and when its next slot comes. */
export async function readOutlook(database: Database, params: { numberId: string }): Promise<Outlook> {
  const { sql } = database;
  const [row] = await sql<Outlook[]>`
    select (select count(*)::int from messages m where m.number_id = l.number_id and m.status = 'queued'
        and not m.set_aside and m.media_status in ('none', 'ready')) as waiting,
      (extract(epoch from greatest(l.next_send_at, clock_timestamp() - interval '1 hour') - clock_timestamp()) * 1000)::float8 as "slotInMs",
      coalesce((select (extract(epoch from min(greatest(case when not ${isKnown(sql)} then greatest(m.not_before, closed.until) end, clock_timestamp()))
          - clock_timestamp()) * 1000)::float8
        from messages m where m.number_id = l.number_id and m.status = 'queued'
          and not m.set_aside and m.media_status in ('none', 'ready')), 0) as "contactInMs"
    from leases l cross join lateral (select ${closedUntil(sql)} as until) closed
    where l.number_id = ${params.numberId}`;
  return row ?? { waiting: 0, slotInMs: 0, contactInMs: 0 };
}

/** A slot further ahead than the interval (the database's clock went back, or the pause was cut) is cut to it. */
export async function cutSlot(
  database: Database,
  { numberId, workerId, fence }: Holding,
  { intervalMs }: { intervalMs: number },
): Promise<void> {
  await database.sql`
    update leases set next_send_at = clock_timestamp() + ${intervalMs} * interval '1 millisecond'
    where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
      and next_send_at > clock_timestamp() + ${intervalMs} * interval '1 millisecond'`;
}

/** No slot before an interval from now: the pause after an outcome that stayed away. */
export async function delaySlot(
  database: Database,
  { numberId, workerId, fence }: Holding,
  { intervalMs }: { intervalMs: number },
): Promise<void> {
  await database.sql`
    update leases set next_send_at = greatest(next_send_at, clock_timestamp() + ${intervalMs} * interval '1 millisecond')
    where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}`;
}

export interface OutcomeWrite {
  status: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'failed' | 'unknown'>;
  errorCode?: string;
  /** A sentence for the sender. */
  error?: string;
}

/**
 * Writes what became of a dispatched message, found by the id it has at WhatsApp, under the fence. A state
 * that cannot follow the stored one changes nothing. Returns whether it was written.
 *
 * The pause to the next message counts from here where it was being sent: a file that takes long to upload
 * must not bring its successor right behind it.
 *
 * An acceptance is announced before it is on the disk: what a crash of PostgreSQL takes away again within a second is
 * `sending` then, which nobody sends a second time and which is settled from the page's own list.
 */
export async function writeOutcome(
  database: Database,
  holding: Holding,
  params: OutcomeWrite & { waMessageId: string; intervalMs: number },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const { status, waMessageId } = params;
  const accepted = status === 'sent' || status === 'delivered' || status === 'read';
  const rows = await database.sql`
    with was as (
      select id, status from messages where number_id = ${numberId} and wa_message_id = ${waMessageId}
    ), changed as (
      update messages m set status = ${status},
        error_code = ${accepted ? null : (params.errorCode ?? null)}, error = ${accepted ? null : (params.error ?? null)},
        sent_at = case when ${accepted} then coalesce(m.sent_at, clock_timestamp()) else m.sent_at end,
        settled_at = clock_timestamp()
      from leases l
      where m.number_id = ${numberId} and m.wa_message_id = ${waMessageId} and m.status = any(${sourcesOf(status)})
        and l.number_id = m.number_id and l.worker_id = ${workerId} and l.fence = ${fence}
      returning m.id, m.recipient
    ), paused as (
      update leases set next_send_at = greatest(next_send_at, clock_timestamp() + ${params.intervalMs} * interval '1 millisecond')
      where number_id = ${numberId} and ${accepted}
        and exists (select from changed join was using (id) where was.status = 'sending')
    ), known as (
      insert into recipients as r (number_id, recipient, known_at)
      select ${numberId}, recipient, clock_timestamp() from changed
      where ${accepted} and recipient like '%@c.us' and not exists (
        select from recipients k where k.number_id = ${numberId} and k.recipient = changed.recipient
          and k.known_at > clock_timestamp() - interval '1 day')
      on conflict (number_id, recipient) do update set known_at = excluded.known_at, refused_at = null
    )
    insert into message_events (message_id, event, detail) select id, ${status}, ${params.errorCode ?? null} from changed
    where not ${accepted} or set_config('synchronous_commit', 'off', true) = 'off' returning 1`;
  return rows.length > 0;
}

/** Notes a step of a message's timeline, on the disk a moment later: nothing depends on it. */
export async function noteStep(
  database: Database,
  params: { messageId: string; event: 'media_ready' | 'recipient_resolved' | 'handed_over'; detail?: string },
): Promise<void> {
  await database.sql`
    insert into message_events (message_id, event, detail) select ${params.messageId}, ${params.event}, ${params.detail ?? null}
    where set_config('synchronous_commit', 'off', true) = 'off'`;
}

/**
 * After a change of hands: what another fence was sending may have left, so it is unknown. Returns what
 * there is to settle from the page's own list.
 */
export async function takeOverOpen(
  database: Database,
  holding: Holding,
): Promise<{ waMessageId: string; recipient: string }[]> {
  const { numberId, fence } = holding;
  await database.sql`
    with lost as (
      update messages set status = 'unknown', settled_at = clock_timestamp(), error_code = 'send_unknown',
        error = ${LOST_IN_SENDING}
      where number_id = ${numberId} and status = 'sending' and fence < ${fence}
      returning id
    )
    insert into message_events (message_id, event, detail) select id, 'unknown', 'session_lost' from lost`;
  // A statement of its own: the one before does not see what a sweep, for which it had to wait, has marked as unknown.
  return database.sql<{ waMessageId: string; recipient: string }[]>`
    select wa_message_id as "waMessageId", recipient from messages
    where number_id = ${numberId} and status = 'unknown' and wa_message_id is not null and created_at > clock_timestamp() - interval '3 days'`;
}

/**
 * What was being sent under a lease that is no more may have left, so it is unknown: its worker is gone, or
 * could not write what became of it, and its number may never come back to settle it.
 */
export async function sweepDispatches(database: Database): Promise<void> {
  await database.sql`
    with lost as (
      update messages m set status = 'unknown', settled_at = clock_timestamp(), error_code = 'send_unknown', error = ${LOST_IN_SENDING}
      from leases l
      where m.status = 'sending' and l.number_id = m.number_id
        and (l.worker_id is null or l.fence <> m.fence or l.expires_at < clock_timestamp())
      returning m.id
    )
    insert into message_events (message_id, event, detail) select id, 'unknown', 'session_lost' from lost`;
}

/**
 * This worker's numbers on which something waits though the slot is free: its wake-up was lost. An idle one
 * and one that waits for its slot are not among them, nor one whose messages wait for files that are on their
 * way (`fetching`), however slowly those come.
 */
export async function findOverlooked(
  database: Database,
  params: { workerId: string; fetching: string[] },
): Promise<string[]> {
  const rows = await database.sql<{ numberId: string }[]>`
    select l.number_id as "numberId" from leases l join numbers n on n.id = l.number_id
    where l.worker_id = ${params.workerId} and l.next_send_at <= clock_timestamp()
      and n.status = 'CONNECTED' and (n.held_at is null or n.held_to_decide)
      and exists (select from messages m where m.number_id = l.number_id and m.status = 'queued' and not m.set_aside
        and not ${database.sql.unsafe(IS_KEPT_BACK)}
        and not (m.media_status = 'pending' and m.id = any(${params.fetching}))
        and not exists (select from messages e
          where e.number_id = m.number_id and e.status = 'queued' and not e.set_aside and e.recipient = m.recipient and e.seq < m.seq))`;
  return rows.map((row) => row.numberId);
}

/**
 * Ends what waits though it may not any more, on all numbers: its time is over, its key was revoked in the very
 * moment, or its account's plan has run out (paid until a day before `oldestWorkingPlan`).
 */
export async function sweepWaiting(
  database: Database,
  params: { oldestWorkingPlan: string; planEnded: string },
): Promise<void> {
  await database.sql`
    with due as (
      select m.id, case when m.deadline_at < clock_timestamp() - interval '1 second' then 'deadline_passed'
        when k.revoked_at is not null then 'key_revoked' else 'plan_ended' end as code
      from messages m left join api_keys k on k.id = m.api_key_id left join subscriptions s on s.account_id = m.account_id
      where m.status = 'queued' and (m.deadline_at < clock_timestamp() - interval '1 second'
        or k.revoked_at is not null or s.paid_until < ${params.oldestWorkingPlan}::date)
    ), ended as (
      update messages m set settled_at = clock_timestamp(), error_code = due.code,
        status = case due.code when 'deadline_passed' then 'expired' else 'cancelled' end,
        error = case due.code when 'deadline_passed' then 'No slot came before its deadline, so the message was not sent.'
          when 'key_revoked' then 'The API key was revoked before this message was sent.' else ${params.planEnded} end
      from due where m.id = due.id and m.status = 'queued' returning m.id, m.status, due.code
    )
    insert into message_events (message_id, event, detail)
    select id, status, case status when 'cancelled' then code end from ended`;
}
