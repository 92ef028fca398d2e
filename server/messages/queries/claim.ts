import { sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { MessageContent, MessageType } from '#server/core/message.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { DISPATCH_MARGIN_MS } from '#server/numbers/queries/leases.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Backend } from '#server/platform/db/connection.ts';
import { laneOf } from '#server/schema/lane.ts';
import { isScheduled } from './is-scheduled.ts';
import { CLOSED_UNTIL_OF_LEASE, IS_KNOWN } from './new-contacts.ts';
import { IS_ASYNC, IS_ASYNC_FIRST, IS_BEHIND_ANOTHER, SLOT_HAS_COME } from './slots.ts';

const BACKEND_ENDS_WITHIN_MS = 5000;

/**
 * The statements of this file are SQL: a claim locks, picks, writes and answers in one statement, whose commit is
 * pipelined. The builder cannot express it.
 */

export interface ClaimedMessage {
  id: string;
  waMessageId: string;
  recipient: Recipient;
  content: MessageContent;
  lane: Lane;
  mediaMimeType: string | null;
  accountId: string;
  mediaSha256: string | null;
  requestId: string | null;
  /** Since it was accepted, or since its scheduled time. Null if the claim's answer was lost. */
  acceptedMsAgo: number | null;
  /** Since it could first have been dispatched. Null if the claim's answer was lost. */
  lateMs: number | null;
  /** Since it was admitted. */
  ageMs: number;
  /** It has an `Idempotency-Key`, so an earlier row of it may be lost. */
  keyed: boolean;
}

/**
 * What a message `m` is known by. With an `Idempotency-Key` its number, key and body, so that a repeat is the same message
 * although the database has lost the first one's row; without one its own ID. A key counts for a day, and again for each
 * message that takes it over.
 */
const IDENTITY = sql`case when m.idempotency_key is null then m.id else concat_ws(' ', m.number_id, m.idempotency_key,
  (m.created_at at time zone 'UTC')::date, m.key_taken_from, m.recipient, m.content) end`;
/**
 * The WhatsApp ID of a message `m`, in the form of WhatsApp's own web client. It follows from the message, so that a page
 * which has sent the message is found to have it, also if the database has lost the claim.
 */
const WA_MESSAGE_ID = sql`'3EB0' || upper(left(encode(sha256(convert_to(${IDENTITY}, 'UTF8')), 'hex'), 18))`;

const AGE_MS = sql`(extract(epoch from clock_timestamp() - m.created_at) * 1000)::float8`;

/** The claimed message, while the claim commits. */
export interface Claim {
  message: ClaimedMessage;
  /** Rejects when it is not certain that the claim was committed. */
  committed: Promise<void>;
}

/**
 * Claims a number's slot for its next message, which gets its WhatsApp ID and becomes `sending`. The interval
 * begins, and begins again when WhatsApp accepts it (`writeOutcome`). Null if the slot has not come, the fence is
 * old, the number is not connected or no message may be sent. Dispatch only after the commit. `kinds`: only these; null: all.
 */
export async function claimSlot(
  database: Database,
  holding: Holding,
  params: { intervalMs: number; pageBuild?: string | null; kinds?: readonly MessageType[] | null },
): Promise<Claim | null> {
  const { numberId, workerId, fence } = holding;
  const { rows, committed } = await database.pool.pipelinedCommit((tx) =>
    tx.run<ClaimedMessage>(sql`
    with slot as (
      select l.number_id, l.next_send_at, ${IS_ASYNC_FIRST} as async_first,
        coalesce(${CLOSED_UNTIL_OF_LEASE} > clock_timestamp(), false) as closed from leases l join numbers n on n.id = l.number_id
      where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
        and l.expires_at > clock_timestamp() + ${DISPATCH_MARGIN_MS} * interval '1 millisecond'
        and ${SLOT_HAS_COME}
        and n.status = 'CONNECTED' and (n.held_at is null or n.held_to_decide) and n.suspended_at is null and n.removed_at is null
      for update of l
    ), pick as (
      select m.id from messages m join slot on slot.number_id = m.number_id
      where m.status = 'queued' and not m.set_aside and m.media_status in ('none', 'ready') and m.deadline_at > clock_timestamp()
        and not ${isScheduled('m')}
        and ((coalesce(m.not_before <= clock_timestamp(), true) and not slot.closed) or ${IS_KNOWN})
        and not ${IS_BEHIND_ANOTHER}
        and not exists (select from api_keys k where k.id = m.api_key_id and k.revoked_at is not null)
        and coalesce(m.type = any(${sql.param(params.kinds ? [...params.kinds] : null)}::text[]), true)
      order by ${IS_ASYNC} <> slot.async_first, m.seq
      limit 1 for update of m
    ), claimed as (
      update messages m set status = 'sending', wa_message_id = ${WA_MESSAGE_ID}, fence = ${fence}, dispatched_at = clock_timestamp(),
        page_build = ${params.pageBuild ?? null}
      from pick, slot where m.id = pick.id
      returning m.id, m.wa_message_id, m.recipient, m.content, ${laneOf('m')} as lane, m.media_mime_type, m.account_id, m.media_sha256, m.request_id,
        ${AGE_MS} as age, m.idempotency_key is not null as keyed, clock_timestamp() - coalesce(m.send_at, m.created_at) as waited,
        clock_timestamp() - greatest(slot.next_send_at, m.created_at, m.send_at) as late
    ), taken as (
      update leases set next_send_at = clock_timestamp() + ${params.intervalMs} * interval '1 millisecond', slots = slots + 1
      where number_id = ${numberId} and exists (select from claimed)
    ), noted as (
      insert into message_events (message_id, event) select id, 'slot_claimed' from claimed
    )
    select id, wa_message_id as "waMessageId", recipient, content, lane, media_mime_type as "mediaMimeType", account_id as "accountId", media_sha256 as "mediaSha256", request_id as "requestId",
      (extract(epoch from waited) * 1000)::float8 as "acceptedMsAgo", (extract(epoch from late) * 1000)::float8 as "lateMs", age as "ageMs", keyed
    from claimed`),
  );
  const [message] = rows;
  return message ? { message, committed } : null;
}

/**
 * The message of the holding's last claim, whose answer was lost; null if it claimed none. First ends the claim's backend, which may
 * still run it, and waits for the lease's lock, which a committing claim holds. Throws if the backend does not end
 * in time.
 */
export async function findClaim(
  database: Database,
  holding: Holding,
  { backend }: { backend: Backend | null },
): Promise<ClaimedMessage | null> {
  const { numberId, fence } = holding;
  const [found] = await database.db.run<{ ended: boolean }>(sql`
    select pg_terminate_backend(pid, ${BACKEND_ENDS_WITHIN_MS}) as ended from pg_stat_activity
    where pid = ${backend?.pid ?? null} and backend_start = coalesce(${backend?.startedAt ?? null}, backend_start)
      and usename = current_user and pid <> pg_backend_pid()`);
  if (found?.ended === false) throw new Error('the connection of a claim does not end');
  return database.db.transaction(async (tx) => {
    await tx.run(sql`select 1 from leases where number_id = ${numberId} for update`);
    const [row] = await tx.run<ClaimedMessage>(sql`
      select id, wa_message_id as "waMessageId", recipient, content, ${laneOf('m')} as lane, media_mime_type as "mediaMimeType", account_id as "accountId", media_sha256 as "mediaSha256", request_id as "requestId",
        null as "acceptedMsAgo", null as "lateMs", ${AGE_MS} as "ageMs",
        m.idempotency_key is not null as keyed
      from messages m where number_id = ${numberId} and fence = ${fence} and status = 'sending'
      order by dispatched_at desc limit 1`);
    return row ?? null;
  });
}
