import { sql } from 'drizzle-orm';
import { PLAN_STOPPED } from '#server/core/access.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Database, Db, Tx } from '#server/platform/db/client.ts';
import { WORKER_GONE_MS } from './leases.ts';

/** A planned move may take this long; its number is shown as it was until then, and messages wait. */
export const MOVE_MS = 15_000;

/** A connected number is about to be handed over. */
export async function beginMove(database: Database, holding: Holding): Promise<void> {
  const { numberId, workerId, fence } = holding;
  await database.sql`
    update numbers n set moving_until = clock_timestamp() + ${MOVE_MS} * interval '1 millisecond'
    from leases l where l.number_id = n.id and n.id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      and n.status = 'CONNECTED'`;
}

/** Of these numbers, those whose move is neither done nor given up. */
export async function stillMoving(database: Database, params: { numberIds: string[] }): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select id from numbers where id = any(${params.numberIds}) and moving_until > clock_timestamp()`;
  return rows.map(({ id }) => id);
}

const WAITS_FOR = 'Its session is stored on the server ';
const WAITS_WHICH =
  ', which does not answer. It comes back when that server does; if that server is gone for good, link the number again.';

/** Whether the number of lease `l` and profile `p` waits for a volume that no living worker sees. */
export const isStranded = sql`
  ((l.worker_id is null or l.expires_at <= clock_timestamp())
    and p.volume_id is not null and (p.snapshot is null or p.snapshot_generation <> p.generation)
    and not exists (select from processes w where w.kind = 'worker' and w.volume_id = p.volume_id
      and w.seen_at > clock_timestamp() - ${WORKER_GONE_MS} * interval '1 millisecond'))`;

/** Numbers whose worker is silent and whose stored session no other sees say what they wait for, and since when. */
export async function markStranded(db: Db): Promise<void> {
  await db.execute(sql`
    with stranded as (
      select n.id, l.renewed_at, ${WAITS_FOR} || coalesce(p.host, '') || ${WAITS_WHICH} as reason
      from numbers n join leases l on l.number_id = n.id join profiles p on p.number_id = n.id
      where n.intent in ('run', 'unlink') and n.status in ('CONNECTED', 'SYNCING', 'RECONNECTING') and ${isStranded}
        and n.status_reason is distinct from ${PLAN_STOPPED}
      for update of n skip locked
    ), marked as (
      update numbers n set status = 'RECONNECTING', status_reason = s.reason, moving_until = null,
        status_since = case when n.status = 'RECONNECTING' then n.status_since else coalesce(s.renewed_at, clock_timestamp()) end
      from stranded s where n.id = s.id and n.status_reason is distinct from s.reason
      returning n.id, n.status_reason
    )
    insert into number_events (number_id, status, reason) select id, 'RECONNECTING', status_reason from marked`);
}

/** Numbers of a volume that nobody holds say that they wait for room on its disk. */
export async function markDiskFull(db: Db, params: { volumeId: string; reason: string }): Promise<void> {
  const { volumeId, reason } = params;
  await db.execute(sql`
    with waiting as (
      select n.id, l.renewed_at from numbers n join leases l on l.number_id = n.id left join profiles p on p.number_id = n.id
      where n.intent = 'run' and n.status in ('CONNECTED', 'SYNCING', 'RECONNECTING') and n.removed_at is null
        and (l.worker_id is null or l.expires_at <= clock_timestamp())
        and (p.volume_id is null or p.volume_id = ${volumeId}) and n.status_reason is distinct from ${reason}
        and n.status_reason is distinct from ${PLAN_STOPPED}
      for update of n skip locked
    ), marked as (
      update numbers n set status = 'RECONNECTING', status_reason = ${reason}, moving_until = null,
        status_since = case when n.status = 'RECONNECTING' then n.status_since else coalesce(w.renewed_at, clock_timestamp()) end
      from waiting w where n.id = w.id returning n.id
    )
    insert into number_events (number_id, status, reason) select id, 'RECONNECTING', ${reason} from marked`);
}

/**
 * Gives up a session that waits for a volume which nobody sees: the next start of the number begins with a
 * blank profile, and so does that volume's worker when it returns. False when the number does not wait so.
 */
export async function giveUpStranded(
  tx: Tx,
  params: { accountId: string; numberId: string },
): Promise<boolean> {
  const { accountId, numberId } = params;
  const { rows } = await tx.execute(sql`
    update profiles p set volume_id = null, host = null, snapshot = null, snapshot_version = null, snapshot_generation = null, snapshot_at = null
    from leases l join numbers n on n.id = l.number_id
    where l.number_id = p.number_id and p.number_id = ${numberId} and n.account_id = ${accountId} and ${isStranded}
    returning p.number_id`);
  return rows.length > 0;
}
