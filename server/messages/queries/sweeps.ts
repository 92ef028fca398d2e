import { and, desc, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import { because, storedOutcome } from '#server/core/message-outcome.ts';
import type { Address } from '#server/core/recipient.ts';
import { oldestWorkingPlan } from '#server/plans/queries/today.ts';
import type { Database } from '#server/platform/db/client.ts';
import { daysAgo } from '#server/platform/db/expressions.ts';
import { lookUps, messages } from '#server/schema/index.ts';
import { isScheduled } from './is-scheduled.ts';
import { IS_KEPT_BACK } from './new-contacts.ts';
import { IS_BEHIND_ANOTHER, SLOT_HAS_COME } from './slots.ts';

/** A message that the page may know more about than the database. */
export interface DispatchedMessage {
  waMessageId: string;
  address: Address;
}

const LOST = storedOutcome(because('send_unknown', 'lost').outcome);
const TOO_LATE = storedOutcome(because('deadline_passed', 'async').outcome);
const PLAN_ENDED = storedOutcome(because('plan_ended', 'ended').outcome);

/** WhatsApp may report on a message for longer, but hardly does. */
const REPORTED_DAYS = 3;
/** Of messages that were sent, as many as a page looks up in a few seconds. */
const UNREAD_MAX = 200;

/**
 * Messages that were being sent under an older fence may have been sent, so they become unknown. Returns those
 * whose outcome must be looked up in the page's own list.
 */
export async function takeOverUnknown(database: Database, holding: Holding): Promise<DispatchedMessage[]> {
  const { numberId, fence } = holding;
  // One statement, so that a message never changes without its event.
  await database.db.run(sql`
    with lost as (
      update messages set status = 'unknown', settled_at = clock_timestamp(), error_code = 'send_unknown',
        outcome = ${LOST}::jsonb
      where number_id = ${numberId} and status = 'sending' and fence < ${fence}
      returning id
    )
    insert into message_events (message_id, event, detail) select id, 'unknown', 'session_lost' from lost`);
  // A second statement, because the first does not see what a concurrent sweep marked as unknown.
  return findDispatched(database, numberId, eq(messages.status, 'unknown').inlineParams());
}

/** The number's latest messages whose receipts may have come while it had no session, the latest first. */
export async function findUnread(
  database: Database,
  { numberId }: { numberId: string },
): Promise<DispatchedMessage[]> {
  return findDispatched(database, numberId, inArray(messages.status, ['sent', 'delivered']))
    .orderBy(desc(messages.dispatchedAt))
    .limit(UNREAD_MAX);
}

function findDispatched(database: Database, numberId: string, status: SQL) {
  return database.db
    .select({
      waMessageId: sql<string>`${messages.waMessageId}`,
      address: sql<Address>`coalesce(${lookUps.address}, ${messages.recipient})`,
    })
    .from(messages)
    .leftJoin(
      lookUps,
      and(
        eq(lookUps.numberId, messages.numberId),
        eq(lookUps.digits, sql`split_part(${messages.recipient}, '@', 1)`),
      ),
    )
    .where(
      and(
        eq(messages.numberId, numberId),
        status,
        isNotNull(messages.waMessageId),
        gt(messages.dispatchedAt, daysAgo(REPORTED_DAYS)),
      ),
    )
    .$dynamic();
}

/**
 * Messages that were being sent under an ended lease may have been sent, so they become unknown: their worker
 * stopped or could not write the outcome, and the number may never connect again to resolve them.
 */
export async function sweepDispatches(database: Database): Promise<void> {
  // One statement, as above. It waits for no lock while it holds others: what is being changed is left to the next sweep.
  await database.db.run(sql`
    with due as (
      select m.id from messages m join leases l on l.number_id = m.number_id
      where m.status = 'sending' and (l.worker_id is null or l.fence <> m.fence or l.expires_at < clock_timestamp())
      for no key update of m skip locked
    ), lost as (
      update messages m set status = 'unknown', settled_at = clock_timestamp(), error_code = 'send_unknown', outcome = ${LOST}::jsonb
      from due where m.id = due.id and m.status = 'sending' returning m.id
    )
    insert into message_events (message_id, event, detail) select id, 'unknown', 'session_lost' from lost`);
}

/**
 * This worker's numbers on which a message waits although the slot is free: its wake-up was lost. Leaves out
 * numbers that are idle or wait for their slot, and messages whose files are still being fetched (`fetching`).
 */
export async function findOverlooked(
  database: Database,
  params: { workerId: string; fetching: string[] },
): Promise<string[]> {
  // The conditions of the claim.
  const rows = await database.db.run<{ numberId: string }>(sql`
    select l.number_id as "numberId" from leases l join numbers n on n.id = l.number_id
    where l.worker_id = ${params.workerId} and ${SLOT_HAS_COME}
      and n.status = 'CONNECTED' and (n.held_at is null or n.held_to_decide)
      and exists (select from messages m where m.number_id = l.number_id and m.status = 'queued' and not m.set_aside
        and not ${IS_KEPT_BACK} and not ${isScheduled('m')}
        and not (m.media_status = 'pending' and m.id = any(${sql.param(params.fetching)}))
        and not ${IS_BEHIND_ANOTHER})`);
  return rows.map((row) => row.numberId);
}

/**
 * Ends messages of all numbers that must not wait any longer: their deadline has passed, their key was revoked
 * during their admission, or their account's plan has ended.
 */
export async function sweepWaiting(database: Database): Promise<void> {
  // One statement, as above.
  await database.db.run(sql`
    with due as (
      select m.id, case when m.deadline_at < clock_timestamp() - interval '1 second' then 'deadline_passed'
        when k.revoked_at is not null then 'key_revoked' else 'plan_ended' end as code
      from messages m left join api_keys k on k.id = m.api_key_id left join subscriptions s on s.account_id = m.account_id
      where m.status = 'queued' and (m.deadline_at < clock_timestamp() - interval '1 second'
        or k.revoked_at is not null or s.paid_until < ${oldestWorkingPlan()})
      for no key update of m skip locked
    ), ended as (
      update messages m set settled_at = clock_timestamp(), error_code = due.code,
        status = case due.code when 'deadline_passed' then 'expired' else 'cancelled' end,
        outcome = case due.code when 'deadline_passed' then ${TOO_LATE}::jsonb when 'plan_ended' then ${PLAN_ENDED}::jsonb end
      from due where m.id = due.id and m.status = 'queued' returning m.id, m.status, due.code
    )
    insert into message_events (message_id, event, detail)
    select id, status, case status when 'cancelled' then code end from ended`);
}
