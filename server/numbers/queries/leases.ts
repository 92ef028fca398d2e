import { and, eq, exists, gt, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { Network } from '#server/core/number-state.ts';
import { sessionStop } from '#server/plans/queries/session-stops.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { msFromNow } from '#server/platform/db/expressions.ts';
import { leases } from '#server/schema/index.ts';
import { settings } from '#server/settings.ts';

/** How long a lease lasts without renewal, on the database's clock. */
const LEASE_MS = 30_000;
const SHORTEST_LEASE_MS = settings.sandboxLeaseMs ?? LEASE_MS;
export const RENEW_EVERY_MS = SHORTEST_LEASE_MS / 6;
/** After this long without a sign of life, the other workers no longer count a worker. */
export const WORKER_GONE_MS = SHORTEST_LEASE_MS * 0.4;

/** How long a number's lease lasts. The setting for tests reaches sandbox numbers only. */
export function leaseMs(network: Network): number {
  return network === 'sandbox' ? SHORTEST_LEASE_MS : LEASE_MS;
}

/** The lease that a worker holds. A write that joins it changes nothing once another worker has the lease. */
export const leaseOf = ({ numberId, workerId, fence }: Holding) =>
  and(eq(leases.numberId, numberId), eq(leases.workerId, workerId), eq(leases.fence, fence));

/** Whether the worker still holds the lease. For statements that cannot join the lease. */
export const leaseIsHeld = (db: Db, holding: Holding) =>
  exists(db.select({ fence: leases.fence }).from(leases).where(leaseOf(holding)));

/** When a lease that is claimed or renewed now expires, as SQL for a number `n`. */
const UNTIL_EXPIRY = sql`clock_timestamp() + (case when n.network = 'sandbox' then ${leaseMs('sandbox')}::float8 else ${leaseMs('whatsapp')}::float8 end)
    * interval '1 millisecond'`;

/** Renews all leases of a worker; those missing from the result are lost. */
export async function renewLeases(
  database: Database,
  params: { workerId: string },
): Promise<{ numberId: string; fence: number }[]> {
  // SQL, because it shares `UNTIL_EXPIRY` with the claim below.
  return database.db.run<{ numberId: string; fence: number }>(sql`
    update leases l set expires_at = ${UNTIL_EXPIRY}, renewed_at = clock_timestamp()
    from numbers n
    where n.id = l.number_id and l.worker_id = ${params.workerId} and l.expires_at > clock_timestamp()
    returning l.number_id as "numberId", l.fence::int`);
}

/**
 * Claims free leases under a new fence, of numbers with a session to run, open or end. Skips numbers whose session
 * exists only on another worker's volume or is stopped on purpose, or that WhatsApp refuses until a known time.
 * Claims nothing in an installation that was moved. Several workers may call it at the same time.
 *
 * @param params.most The most to claim.
 * @param params.free The most of those that another worker could claim as well.
 */
export async function claimLeases(
  database: Database,
  params: { workerId: string; volumeId: string; most: number; free: number },
): Promise<{ numberId: string; fence: number; network: Network }[]> {
  const { workerId, volumeId, most } = params;
  const { db } = database;
  // SQL: `skip locked` in CTEs, and the state and history of the same numbers in the same statement.
  // First shorten leases that expire too late, because they were written before the database's clock was set back.
  await db.run(sql`
    update leases l set expires_at = ${UNTIL_EXPIRY} from numbers n
    where n.id = l.number_id and l.expires_at > ${UNTIL_EXPIRY} + interval '1 second'`);
  const unheld = sql`n.intent <> 'idle'
    and not (n.intent = 'run' and (${sessionStop()} is not null or coalesce(n.blocked_until > clock_timestamp(), false)))
    and (l.worker_id is null or l.expires_at <= clock_timestamp())
    and not exists (select from installation where key = 'moved')`;
  const nowhere = sql`(p.volume_id is null or (p.snapshot is not null and p.snapshot_generation = p.generation))`;
  return db.run<{ numberId: string; fence: number; network: Network }>(sql`
    with bound as (
      select l.number_id from leases l join numbers n on n.id = l.number_id join profiles p on p.number_id = l.number_id
      where ${unheld} and p.volume_id = ${volumeId} and not ${nowhere}
      order by n.created_at limit ${most} for update of l skip locked
    ), free as (
      select l.number_id from leases l join numbers n on n.id = l.number_id left join profiles p on p.number_id = l.number_id
      where ${unheld} and ${nowhere}
      order by p.volume_id is not distinct from ${volumeId} desc, n.created_at limit ${Math.min(most, params.free)}
      for update of l skip locked
    ), taken as (
      update leases l set worker_id = ${workerId}, fence = fence + 1, renewed_at = clock_timestamp(),
        expires_at = ${UNTIL_EXPIRY}
      from numbers n
      where n.id = l.number_id and l.number_id in (select number_id from bound union all select number_id from free limit ${most})
      returning l.number_id, l.fence, n.network
    ), doubted as (
      -- This worker does not know yet whether the session still works.
      update numbers n set status = 'RECONNECTING', cause = null, status_since = clock_timestamp()
      from taken where n.id = taken.number_id and n.status in ('CONNECTED', 'SYNCING')
        and coalesce(n.moving_until, '-infinity') <= clock_timestamp()
      returning n.id
    ), noted as (
      insert into number_events (number_id, status) select id, 'RECONNECTING' from doubted
    )
    select number_id as "numberId", fence::int, network from taken`);
}

/**
 * Releases a lease after the session has ended, so that another worker need not wait for its expiry. With `notify`
 * the others are notified at once.
 */
export async function releaseLease(
  database: Database,
  holding: Holding,
  { notify }: { notify: boolean },
): Promise<void> {
  // Write and notification in one statement, so that only a lease that was held is announced.
  await database.db.run(sql`
    with released as (
      update leases set worker_id = null, expires_at = null
      where number_id = ${holding.numberId} and worker_id = ${holding.workerId} and fence = ${holding.fence}
      returning number_id
    )
    select pg_notify('wirebird_number', number_id) from released where ${notify}`);
}

/** The numbers that a worker holds, or held when it died. */
export async function leasesOf(database: Database, params: { workerId: string }): Promise<string[]> {
  const rows = await database.db
    .select({ numberId: leases.numberId })
    .from(leases)
    .where(eq(leases.workerId, params.workerId));
  return rows.map(({ numberId }) => numberId);
}

/** Releases all leases of a worker whose process and browsers have ended. */
export async function releaseLeasesOf(database: Database, params: { workerId: string }): Promise<void> {
  await database.db
    .update(leases)
    .set({ workerId: null, expiresAt: null })
    .where(eq(leases.workerId, params.workerId));
}

/**
 * A dispatch needs a lease that lasts at least this much longer. Claim and gate use the same margin, so that the
 * gate does not refuse a claimed slot because a renewal is due.
 */
export const DISPATCH_MARGIN_MS = 2000;

/** Whether the lease lasts long enough for a dispatch. */
export async function canDispatch(database: Database, holding: Holding): Promise<boolean> {
  const rows = await database.db
    .select({ fence: leases.fence })
    .from(leases)
    .where(and(leaseOf(holding), gt(leases.expiresAt, msFromNow(DISPATCH_MARGIN_MS))));
  return rows.length > 0;
}
