import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { Database } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { leases, profiles } from '#server/schema/index.ts';
import { leaseOf } from './leases.ts';

/** Where a number's stored session is, as the database knows it. */
export interface ProfileRow {
  volumeId: string | null;
  generation: number;
  /** There is a snapshot of this generation. */
  restorable: boolean;
}

/** Null when the number was never started. */
export async function findProfile(
  database: Database,
  params: { numberId: string },
): Promise<ProfileRow | null> {
  const [row] = await database.db
    .select({
      volumeId: profiles.volumeId,
      generation: profiles.generation,
      restorable: sql<boolean>`${and(isNotNull(profiles.snapshot), eq(profiles.snapshotGeneration, profiles.generation))}`,
    })
    .from(profiles)
    .where(eq(profiles.numberId, params.numberId));
  return row ?? null;
}

const snapshotRow = {
  version: sql<number>`${profiles.snapshotVersion}`,
  sealed: sql<Buffer>`${profiles.snapshot}`,
};
const NO_SNAPSHOT = { snapshot: null, snapshotVersion: null, snapshotGeneration: null, snapshotAt: null };

export interface Snapshot {
  version: number;
  sealed: Buffer;
}

/** The snapshot of a number's present generation; null when there is none. */
export async function readSnapshot(
  database: Database,
  params: { numberId: string },
): Promise<Snapshot | null> {
  const [row] = await database.db
    .select(snapshotRow)
    .from(profiles)
    .where(
      and(
        eq(profiles.numberId, params.numberId),
        isNotNull(profiles.snapshot),
        eq(profiles.snapshotGeneration, profiles.generation),
      ),
    );
  return row ?? null;
}

/**
 * The snapshot that the last start used is the last good copy, until the session has connected: makes it the number's
 * newest session again. False if there is none or the lease is lost.
 */
export async function reviveGoodCopy({ db }: Database, holding: Holding): Promise<boolean> {
  const rows = await db
    .update(profiles)
    .set({ snapshotGeneration: sql`${profiles.generation}` })
    .from(leases)
    .where(
      and(
        eq(profiles.numberId, leases.numberId),
        leaseOf(holding),
        isNotNull(profiles.snapshot),
        // Equal after a restoration that did not finish.
        sql`${profiles.snapshotGeneration} >= ${profiles.generation} - 1`,
      ),
    )
    .returning({ numberId: profiles.numberId });
  return rows.length > 0;
}

/** Deletes the stored copy after the session has connected, which makes it older. Changes nothing if the lease is lost. */
export async function forgetGoodCopy(database: Database, holding: Holding): Promise<void> {
  await updateHeld(database, holding, NO_SNAPSHOT, isNotNull(profiles.snapshot));
}

/** Changes nothing when the lease is lost. */
async function updateHeld(
  { db }: Database,
  holding: Holding,
  set: Parameters<ReturnType<typeof db.update<typeof profiles>>['set']>[0],
  where?: SQL,
): Promise<void> {
  await db
    .update(profiles)
    .set(set)
    .from(leases)
    .where(and(eq(profiles.numberId, leases.numberId), leaseOf(holding), where));
}

/**
 * Records that the session is now in this volume's profile, which makes the snapshot out of date. False if the
 * lease is lost.
 */
export async function takeUpProfile(
  database: Database,
  holding: Holding,
  params: { volumeId: string; host: string; generation: number },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const { volumeId, host, generation } = params;
  // The builder's insert from a select would have to name every column.
  const rows = await database.db.run(sql`
    insert into profiles (number_id, volume_id, host, generation)
    select number_id, ${volumeId}, ${host}, ${generation} from leases
    where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
    on conflict (number_id) do update
      set volume_id = excluded.volume_id, host = excluded.host, generation = excluded.generation
    returning number_id`);
  return rows.length > 0;
}

/** Stores the session's files after a clean stop. Changes nothing when the lease is lost. */
export async function writeSnapshot(database: Database, holding: Holding, params: Snapshot): Promise<void> {
  await updateHeld(database, holding, {
    snapshot: params.sealed,
    snapshotVersion: params.version,
    snapshotGeneration: sql`${profiles.generation}`,
    snapshotAt: now,
  });
}

/** Records that the session cannot be resumed: the number's next start begins with an empty profile. */
export async function forgetProfile(database: Database, holding: Holding): Promise<void> {
  await updateHeld(database, holding, { volumeId: null, host: null, ...NO_SNAPSHOT });
}
