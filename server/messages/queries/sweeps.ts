import type { Holding } from '#server/core/lease.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Database } from '#server/platform/db/client.ts';
import { IS_KEPT_BACK } from './new-contacts.ts';
import { IS_BEHIND_ANOTHER, SLOT_HAS_COME } from './slots.ts';

/**
 * What was being sent under an older fence may have left, so it is unknown. Returns what is to be settled from the
 * page's own list.
 */
export async function takeOverOpen(
  database: Database,
  holding: Holding,
): Promise<{ waMessageId: string; recipient: Recipient }[]> {
  const { numberId, fence } = holding;
  await database.sql`
    with lost as (
      update messages set status = 'unknown', settled_at = clock_timestamp(), error_code = 'send_unknown',
        error = ${OUTCOMES.send_unknown.says.lost}
      where number_id = ${numberId} and status = 'sending' and fence < ${fence}
      returning id
    )
    insert into message_events (message_id, event, detail) select id, 'unknown', 'session_lost' from lost`;
  // A statement of its own: the one before does not see what a sweep, for which it had to wait, has marked as unknown.
  return database.sql<{ waMessageId: string; recipient: Recipient }[]>`
    select wa_message_id as "waMessageId", recipient from messages
    where number_id = ${numberId} and status = 'unknown' and wa_message_id is not null and created_at > clock_timestamp() - interval '3 days'`;
}

/**
 * What was being sent under a lease that has ended may have left, so it is unknown: its worker is gone, or could not
 * write the outcome, and its number may never come back to settle it.
 */
export async function sweepDispatches(database: Database): Promise<void> {
  await database.sql`
    with lost as (
      update messages m set status = 'unknown', settled_at = clock_timestamp(), error_code = 'send_unknown', error = ${OUTCOMES.send_unknown.says.lost}
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
  const { sql } = database;
  const rows = await sql<{ numberId: string }[]>`
    select l.number_id as "numberId" from leases l join numbers n on n.id = l.number_id
    where l.worker_id = ${params.workerId} and ${sql.unsafe(SLOT_HAS_COME)}
      and n.status = 'CONNECTED' and (n.held_at is null or n.held_to_decide)
      and exists (select from messages m where m.number_id = l.number_id and m.status = 'queued' and not m.set_aside
        and not ${sql.unsafe(IS_KEPT_BACK)}
        and not (m.media_status = 'pending' and m.id = any(${params.fetching}))
        and not ${sql.unsafe(IS_BEHIND_ANOTHER)})`;
  return rows.map((row) => row.numberId);
}

/**
 * Ends what must not wait any longer, on all numbers: its deadline has passed, its key was revoked as it was admitted,
 * or its account's plan has run out (paid until a day before `oldestWorkingPlan`).
 */
export async function sweepWaiting(database: Database, params: { oldestWorkingPlan: string }): Promise<void> {
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
        error = case due.code when 'deadline_passed' then ${OUTCOMES.deadline_passed.says.async}
          when 'key_revoked' then ${OUTCOMES.key_revoked.says} else ${OUTCOMES.plan_ended.says('expired')} end
      from due where m.id = due.id and m.status = 'queued' returning m.id, m.status, due.code
    )
    insert into message_events (message_id, event, detail)
    select id, status, case status when 'cancelled' then code end from ended`;
}
