import { and, eq, gt, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import { SESSION_STOP_CODES } from '#server/core/number/cause.ts';
import type { Database, Db, Tx } from '#server/platform/db/client.ts';
import { anyOf, msFromNow, now } from '#server/platform/db/expressions.ts';
import { leases, numbers } from '#server/schema/index.ts';
import { leaseOf, WORKER_GONE_MS } from './leases.ts';

/** A planned move may take this long. Until then the number keeps its shown state, and messages wait. */
export const MOVE_MS = 15_000;

/** Records that a connected number will be handed to another worker. */
export async function beginMove(database: Database, holding: Holding): Promise<void> {
  await database.db
    .update(numbers)
    .set({ movingUntil: msFromNow(MOVE_MS) })
    .from(leases)
    .where(and(eq(numbers.id, leases.numberId), leaseOf(holding), eq(numbers.status, 'CONNECTED')));
}

/** Which of these numbers are still moving. */
export async function stillMoving(database: Database, params: { numberIds: string[] }): Promise<string[]> {
  const rows = await database.db
    .select({ id: numbers.id })
    .from(numbers)
    .where(and(anyOf(numbers.id, params.numberIds), gt(numbers.movingUntil, now)));
  return rows.map(({ id }) => id);
}

/** A condition on lease `l` and profile `p`: their number waits for a volume that no living worker has. */
export const isStranded = sql`
  ((l.worker_id is null or l.expires_at <= clock_timestamp())
    and p.volume_id is not null and (p.snapshot is null or p.snapshot_generation <> p.generation)
    and not exists (select from processes w where w.kind = 'worker' and w.volume_id = p.volume_id
      and w.seen_at > clock_timestamp() - ${WORKER_GONE_MS} * interval '1 millisecond'))`;

/** The session of a number `n` is not stopped on purpose. */
const isNotStopped = sql`coalesce(n.cause ->> 'code' <> all(${sql.param([...SESSION_STOP_CODES])}), true)`;

/**
 * Marks numbers whose worker is silent and whose session is on no other worker's volume, with what they wait for.
 */
export async function markStranded(db: Db): Promise<void> {
  // One statement, so that a state never changes without its entry in the history.
  await db.run(sql`
    with stranded as (
      select n.id, l.renewed_at, jsonb_build_object('code', 'stranded', 'host', coalesce(p.host, '')) as cause
      from numbers n join leases l on l.number_id = n.id join profiles p on p.number_id = n.id
      where n.intent in ('run', 'unlink') and n.status in ('CONNECTED', 'SYNCING', 'RECONNECTING') and ${isStranded}
        and ${isNotStopped}
      for no key update of n skip locked
    ), marked as (
      update numbers n set status = 'RECONNECTING', cause = s.cause, moving_until = null,
        status_since = case when n.status = 'RECONNECTING' then n.status_since else coalesce(s.renewed_at, clock_timestamp()) end
      from stranded s where n.id = s.id and n.cause is distinct from s.cause
      returning n.id, n.cause
    )
    insert into number_events (number_id, status, cause) select id, 'RECONNECTING', cause from marked`);
}

/** Marks numbers of a volume that no worker holds: they wait for room on its disk. */
export async function markDiskFull(db: Db, { volumeId }: { volumeId: string }): Promise<void> {
  const cause = sql`'{"code": "disk_full"}'::jsonb`;
  // One statement, as above.
  await db.run(sql`
    with waiting as (
      select n.id, l.renewed_at from numbers n join leases l on l.number_id = n.id left join profiles p on p.number_id = n.id
      where n.intent = 'run' and n.status in ('CONNECTED', 'SYNCING', 'RECONNECTING') and n.removed_at is null
        and (l.worker_id is null or l.expires_at <= clock_timestamp())
        and (p.volume_id is null or p.volume_id = ${volumeId}) and n.cause is distinct from ${cause}
        and ${isNotStopped}
      for no key update of n skip locked
    ), marked as (
      update numbers n set status = 'RECONNECTING', cause = ${cause}, moving_until = null,
        status_since = case when n.status = 'RECONNECTING' then n.status_since else coalesce(w.renewed_at, clock_timestamp()) end
      from waiting w where n.id = w.id returning n.id
    )
    insert into number_events (number_id, status, cause) select id, 'RECONNECTING', ${cause} from marked`);
}

/**
 * Gives up a session that waits for a volume that no worker has: the number's next start begins with an empty
 * profile, also on that volume when its worker returns. False when the number does not wait for a volume.
 */
export async function giveUpStranded(
  tx: Tx,
  params: { accountId: string; numberId: string },
): Promise<boolean> {
  const { accountId, numberId } = params;
  // SQL, because it shares `isStranded`, a condition on aliases.
  const rows = await tx.run(sql`
    update profiles p set volume_id = null, host = null, snapshot = null, snapshot_version = null, snapshot_generation = null, snapshot_at = null
    from leases l join numbers n on n.id = l.number_id
    where l.number_id = p.number_id and p.number_id = ${numberId} and n.account_id = ${accountId} and ${isStranded}
    returning p.number_id`);
  return rows.length > 0;
}
