import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { WORKER_GONE_MS } from '#server/numbers/queries/leases.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { processes } from '#server/schema/index.ts';

/** A worker process, as the administrator sees it. */
export interface WorkerRow extends Record<string, unknown> {
  id: string;
  host: string;
  version: string | null;
  /** Numbers whose session it runs or starts. */
  numbers: number;
  /** With its browsers; null until measured. */
  memoryBytes: number | null;
  since: Date;
  seenAt: Date;
  /** False without a recent sign of life: its numbers wait for it, or other workers take them. */
  alive: boolean;
  /** It hands its numbers over and takes none, because an administrator drains it or because it stops. */
  draining: boolean;
  /** An administrator drains it. */
  drainRequested: boolean;
  /** Its disk has too little room for files of messages, or for any session. */
  mediaRefused: boolean;
  sessionsStopped: boolean;
  /** How much room there is, and where; null if there is enough. */
  diskNote: string | null;
}

/** The workers of the installation, longest-running first. */
export async function listWorkerRows(db: Db): Promise<WorkerRow[]> {
  // SQL: nearly all columns are expressions.
  return db.run<WorkerRow>(sql`
      select p.id, p.host, p.version, p.memory_bytes::float8 as "memoryBytes", p.created_at as since, p.seen_at as "seenAt",
        (select count(*)::int from leases l where l.worker_id = p.id and l.expires_at > clock_timestamp()) as numbers,
        p.seen_at > clock_timestamp() - ${WORKER_GONE_MS} * interval '1 millisecond' as alive,
        p.draining_at is not null or p.drain_requested_at is not null as draining,
        p.drain_requested_at is not null as "drainRequested", p.media_refused_at is not null as "mediaRefused",
        p.sessions_stopped_at is not null as "sessionsStopped", p.disk_note as "diskNote"
      from processes p where p.kind = 'worker' order by p.created_at, p.id`);
}

/** Drains a worker, or ends that; false if it changes nothing. */
export async function setDrainRequested(
  db: Db,
  params: { workerId: string; drain: boolean },
): Promise<boolean> {
  const { workerId, drain } = params;
  const { drainRequestedAt } = processes;
  const { rowCount } = await db
    .update(processes)
    .set({ drainRequestedAt: drain ? now : null })
    .where(
      and(
        eq(processes.id, workerId),
        eq(processes.kind, 'worker'),
        drain ? isNull(drainRequestedAt) : isNotNull(drainRequestedAt),
      ),
    );
  return rowCount === 1;
}

export interface WorkerSign {
  id: string;
  host: string;
  pid: number;
  pidSpace: string;
  version: string;
  volumeId: string;
  memoryBytes: number | null;
  draining: boolean;
  disk: DiskSign;
}

/** What a worker reports about its disks. */
export interface DiskSign {
  mediaRefused: boolean;
  sessionsStopped: boolean;
  /** Null while there is enough room. */
  note: string | null;
}

/** A worker's sign of life. Returns whether an administrator asked it to drain. */
export async function writeWorker(database: Database, sign: WorkerSign): Promise<{ drain: boolean }> {
  const { id, host, pid, pidSpace, version, volumeId, memoryBytes, draining, disk } = sign;
  // SQL: columns that stay refer to the earlier row by an alias, which the builder's insert does not have.
  const [row] = await database.db.run<{ drain: boolean }>(sql`
    insert into processes as p (id, kind, host, pid, pid_space, version, volume_id, memory_bytes, draining_at, media_refused_at, sessions_stopped_at, disk_note)
    values (${id}, 'worker', ${host}, ${pid}, ${pidSpace}, ${version}, ${volumeId}, ${memoryBytes}, case when ${draining} then clock_timestamp() end,
      case when ${disk.mediaRefused} then clock_timestamp() end, case when ${disk.sessionsStopped} then clock_timestamp() end, ${disk.note})
    on conflict (id) do update set seen_at = clock_timestamp(), memory_bytes = excluded.memory_bytes,
      draining_at = case when ${draining} then coalesce(p.draining_at, excluded.draining_at) end,
      media_refused_at = case when ${disk.mediaRefused} then coalesce(p.media_refused_at, excluded.media_refused_at) end,
      sessions_stopped_at = case when ${disk.sessionsStopped} then coalesce(p.sessions_stopped_at, excluded.sessions_stopped_at) end,
      disk_note = excluded.disk_note
    returning drain_requested_at is not null as drain`);
  return { drain: row?.drain ?? false };
}

export interface Fleet {
  /** Numbers with an intent, under any worker. */
  numbers: number;
  /** Of these, this worker's. */
  own: number;
  /** Workers that take numbers, including this one if it does. */
  workers: number;
  /** The fewest numbers that another of these workers has; null when there is none. */
  fewestElsewhere: number | null;
}

/** How the numbers are distributed among the living workers that take numbers. */
export async function readFleet(database: Database, params: { workerId: string }): Promise<Fleet> {
  const { workerId } = params;
  // SQL: four figures over two shared counts, without a table to select from.
  const [row] = await database.db.run<Fleet>(sql`
    with held as (
      select l.worker_id, count(*)::int as count from leases l join numbers n on n.id = l.number_id
      where n.intent <> 'idle' and l.expires_at > clock_timestamp() group by 1
    ), open as (
      select p.id, coalesce(held.count, 0) as count from processes p left join held on held.worker_id = p.id
      where p.kind = 'worker' and p.draining_at is null and p.drain_requested_at is null and p.sessions_stopped_at is null
        and p.seen_at > clock_timestamp() - ${WORKER_GONE_MS} * interval '1 millisecond'
    )
    select (select count(*)::int from numbers where intent <> 'idle') as numbers,
      coalesce((select count from held where worker_id = ${workerId}), 0) as own,
      (select count(*)::int from open) as workers,
      (select min(count) from open where id <> ${workerId}) as "fewestElsewhere"`);
  return row ?? { numbers: 0, own: 0, workers: 0, fewestElsewhere: null };
}
