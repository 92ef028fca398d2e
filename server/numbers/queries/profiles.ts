import type { Holding } from '#server/core/lease.ts';
import type { Database } from '#server/platform/db/client.ts';

/** Where a number's stored session is, as the database knows it. */
export interface ProfileRow {
  volumeId: string | null;
  generation: number;
  /** There is a snapshot that continues this very generation. */
  restorable: boolean;
}

/** Null when it was never started since profiles are written down. */
export async function findProfile(
  database: Database,
  params: { numberId: string },
): Promise<ProfileRow | null> {
  const [row] = await database.sql<ProfileRow[]>`
    select volume_id as "volumeId", generation::float8, snapshot is not null and snapshot_generation = generation as restorable
    from profiles where number_id = ${params.numberId}`;
  return row ?? null;
}

export interface Snapshot {
  version: number;
  sealed: Buffer;
}

/** The snapshot that continues a number's last start; null when there is none, or another's. */
export async function readSnapshot(
  database: Database,
  params: { numberId: string },
): Promise<Snapshot | null> {
  const [row] = await database.sql<Snapshot[]>`
    select snapshot_version as version, snapshot as sealed from profiles
    where number_id = ${params.numberId} and snapshot is not null and snapshot_generation = generation`;
  return row ?? null;
}

/**
 * The snapshot that the last start went on from: the last good copy, until the session has been connected. Null when
 * there is none.
 */
export async function readGoodCopy(database: Database, holding: Holding): Promise<Snapshot | null> {
  const { numberId, workerId, fence } = holding;
  const [row] = await database.sql<Snapshot[]>`
    select p.snapshot_version as version, p.snapshot as sealed from profiles p join leases l on l.number_id = p.number_id
    where p.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      and p.snapshot is not null and p.snapshot_generation = p.generation - 1`;
  return row ?? null;
}

/** The session goes on: what it was before must not come back. Changes nothing when the lease is not ours any more. */
export async function forgetGoodCopy(database: Database, holding: Holding): Promise<void> {
  const { numberId, workerId, fence } = holding;
  await database.sql`
    update profiles p set snapshot = null, snapshot_version = null, snapshot_generation = null, snapshot_at = null
    from leases l where l.number_id = p.number_id and p.number_id = ${numberId} and l.worker_id = ${workerId}
      and l.fence = ${fence} and p.snapshot is not null and p.snapshot_generation <> p.generation`;
}

/**
 * From now on the session is in this volume's profile, and the snapshot is out of date: a browser is about to start
 * from it. False when the lease is not ours any more.
 */
export async function takeUpProfile(
  database: Database,
  holding: Holding,
  params: { volumeId: string; host: string; generation: number },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const { volumeId, host, generation } = params;
  const rows = await database.sql`
    insert into profiles (number_id, volume_id, host, generation)
    select number_id, ${volumeId}, ${host}, ${generation} from leases
    where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
    on conflict (number_id) do update set volume_id = excluded.volume_id, host = excluded.host, generation = excluded.generation
    returning number_id`;
  return rows.length > 0;
}

/** What a clean stop has left of the session. Changes nothing when the lease is not ours any more. */
export async function writeSnapshot(database: Database, holding: Holding, params: Snapshot): Promise<void> {
  const { numberId, workerId, fence } = holding;
  await database.sql`
    update profiles p set snapshot = ${params.sealed}, snapshot_version = ${params.version}, snapshot_generation = p.generation,
      snapshot_at = clock_timestamp()
    from leases l where l.number_id = p.number_id and p.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}`;
}

/** There is no session to go on with: the next start of the number begins with a blank profile. */
export async function forgetProfile(database: Database, holding: Holding): Promise<void> {
  const { numberId, workerId, fence } = holding;
  await database.sql`
    update profiles p set volume_id = null, host = null, snapshot = null, snapshot_version = null, snapshot_generation = null, snapshot_at = null
    from leases l where l.number_id = p.number_id and p.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}`;
}
