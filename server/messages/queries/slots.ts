import type { Holding } from '#server/core/lease.ts';
import { ASYNC_EVERY } from '#server/core/pacing/lanes.ts';
import type { Database } from '#server/platform/db/client.ts';
import { isSync } from '#server/schema/lane.ts';
import { closedUntil, isKnown } from './new-contacts.ts';

/** Does the next slot of the lease `l` go to the async lane first? */
export const IS_ASYNC_FIRST = `l.slots % ${ASYNC_EVERY} = ${ASYNC_EVERY - 1}`;

/** Has the next slot of the lease `l` come? */
export const SLOT_HAS_COME = 'l.next_send_at <= clock_timestamp()';

/** Until the next slot of the lease `l`, in ms; 0 when it is free. */
export const SLOT_IN_MS =
  '(extract(epoch from greatest(l.next_send_at, clock_timestamp()) - clock_timestamp()) * 1000)::float8';

/** Does an earlier message to the same recipient wait before the message `m`? What is set aside keeps nothing back. */
export const IS_BEHIND_ANOTHER = `exists (select from messages e
  where e.number_id = m.number_id and e.status = 'queued' and not e.set_aside and e.recipient = m.recipient and e.seq < m.seq)`;

/** Does the message `m` wait in the async lane, and no sync one to the same recipient behind it? */
export const IS_ASYNC = `(m.lane = 'async' and not exists (select from messages p
  where p.number_id = m.number_id and p.status = 'queued' and p.recipient = m.recipient and ${isSync('p')}))`;

export interface Outlook {
  /** Messages that wait for a slot, their media there. */
  waiting: number;
  /** Until the next slot in ms, 0 when it is free. */
  slotInMs: number;
  /** Until the first of them may leave, in ms, where all are to new people who have to wait; else 0. */
  contactInMs: number;
}

/** When to look again: what waits on a number, and when its next slot comes. */
export async function readOutlook(database: Database, params: { numberId: string }): Promise<Outlook> {
  const { sql } = database;
  const [row] = await sql<Outlook[]>`
    select (select count(*)::int from messages m where m.number_id = l.number_id and m.status = 'queued'
        and not m.set_aside and m.media_status in ('none', 'ready')) as waiting, ${sql.unsafe(SLOT_IN_MS)} as "slotInMs",
      coalesce((select (extract(epoch from min(greatest(case when not ${isKnown(sql)} then greatest(m.not_before, closed.until) end, clock_timestamp()))
          - clock_timestamp()) * 1000)::float8
        from messages m where m.number_id = l.number_id and m.status = 'queued'
          and not m.set_aside and m.media_status in ('none', 'ready')), 0) as "contactInMs"
    from leases l cross join lateral (select ${closedUntil(sql)} as until) closed
    where l.number_id = ${params.numberId}`;
  return row ?? { waiting: 0, slotInMs: 0, contactInMs: 0 };
}

/** A slot further ahead than the interval (the database's clock went back, or the interval was cut) is cut to it. */
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

/** No slot before an interval from now, after a dispatch without an acknowledgement. */
export async function delaySlot(
  database: Database,
  { numberId, workerId, fence }: Holding,
  { intervalMs }: { intervalMs: number },
): Promise<void> {
  await database.sql`
    update leases set next_send_at = greatest(next_send_at, clock_timestamp() + ${intervalMs} * interval '1 millisecond')
    where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}`;
}
