import { and, gt, type SQL, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import { ASYNC_EVERY } from '#server/core/pacing/lanes.ts';
import { leaseOf } from '#server/numbers/queries/leases.ts';
import type { Database } from '#server/platform/db/client.ts';
import { msFromNow } from '#server/platform/db/expressions.ts';
import { leases, messages } from '#server/schema/index.ts';
import { isSync } from '#server/schema/lane.ts';
import { isScheduled } from './is-scheduled.ts';
import { CLOSED_UNTIL_OF_LEASE, IS_KNOWN } from './new-contacts.ts';

/** Does the next slot of the lease `l` go to the async lane first? */
export const IS_ASYNC_FIRST = sql<boolean>`l.slots % ${ASYNC_EVERY} = ${ASYNC_EVERY - 1}`.inlineParams();

/** Has the next slot of the lease `l` come? */
export const SLOT_HAS_COME = sql<boolean>`l.next_send_at <= clock_timestamp()`;

/** Until the next slot of the lease `l`, in ms; 0 when it is free. */
export const SLOT_IN_MS = sql<number>`(extract(epoch from greatest(l.next_send_at, clock_timestamp()) - clock_timestamp()) * 1000)::float8`;

/** Does an earlier message to the same recipient wait before `m`? Those set aside or scheduled do not count. */
export const IS_BEHIND_ANOTHER = sql<boolean>`exists (select from messages e
  where e.number_id = m.number_id and e.status = 'queued' and not e.set_aside and not ${isScheduled('e')}
    and e.recipient = m.recipient and e.seq < m.seq)`;

/**
 * Does the message `m` count as async? A sync message to the same recipient behind it moves it to the sync lane.
 */
export const IS_ASYNC = sql<boolean>`(m.lane = 'async' and not exists (select from messages p
  where p.number_id = m.number_id and p.status = 'queued' and p.recipient = m.recipient and ${isSync('p')}))`;

export interface Outlook {
  /** Messages that wait for a slot, with their media fetched. */
  waiting: number;
  /** Until the next slot in ms, 0 when it is free. */
  slotInMs: number;
  /**
   * 0 if a message can be sent now. Otherwise all are scheduled or kept back for new contacts, and this is the
   * time until the first can be sent, in ms.
   */
  dueInMs: number;
}

/** When to try again: how many messages wait on a number, and when its next slot comes. */
export async function readOutlook(database: Database, params: { numberId: string }): Promise<Outlook> {
  // The conditions of the claim.
  const [row] = await database.db.run<Outlook>(sql`
    select (select count(*)::int from messages m where m.number_id = l.number_id and m.status = 'queued'
        and not m.set_aside and m.media_status in ('none', 'ready')) as waiting, ${SLOT_IN_MS} as "slotInMs",
      coalesce((select (extract(epoch from min(greatest(m.send_at, case when not ${IS_KNOWN} then greatest(m.not_before, closed.until) end, clock_timestamp()))
          - clock_timestamp()) * 1000)::float8
        from messages m where m.number_id = l.number_id and m.status = 'queued'
          and not m.set_aside and m.media_status in ('none', 'ready')), 0) as "dueInMs"
    from leases l cross join lateral (select ${CLOSED_UNTIL_OF_LEASE} as until) closed
    where l.number_id = ${params.numberId}`);
  return row ?? { waiting: 0, slotInMs: 0, dueInMs: 0 };
}

/**
 * Moves a slot that is further ahead than the interval (the clock was set back, or the interval is shorter now).
 */
export async function cutSlot(
  database: Database,
  holding: Holding,
  { intervalMs }: { intervalMs: number },
): Promise<void> {
  const latest = msFromNow(intervalMs);
  await database.db
    .update(leases)
    .set({ nextSendAt: latest })
    .where(and(leaseOf(holding), gt(leases.nextSendAt, latest)));
}

/** After a dispatch without acknowledgement: the next slot is at least an interval from now. */
export function delaySlot(
  database: Database,
  holding: Holding,
  { intervalMs }: { intervalMs: number },
): Promise<void> {
  return delayUntil(database, holding, msFromNow(intervalMs));
}

/**
 * Before a session dispatches: a message whose session was lost may have left until it became unknown, so the next slot is
 * at least an interval after that.
 */
export function delaySlotAfterUnknown(
  database: Database,
  holding: Holding,
  { intervalMs }: { intervalMs: number },
): Promise<void> {
  const lastUnknown = sql`(
    select max(m.settled_at) from ${messages} m where m.number_id = ${leases.numberId} and m.status = 'unknown')`;
  return delayUntil(database, holding, sql`${lastUnknown} + ${intervalMs} * interval '1 millisecond'`);
}

/** `at`: null keeps the slot. */
async function delayUntil({ db }: Database, holding: Holding, at: SQL): Promise<void> {
  await db
    .update(leases)
    .set({ nextSendAt: sql`greatest(${leases.nextSendAt}, ${at})` })
    .where(leaseOf(holding));
}
