import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Pool } from '#server/platform/db/pool.ts';

/** A database session, as an operator can find it. */
export interface DatabaseSession {
  pid: number;
  user: string;
  application: string;
  /** How long its transaction has been open; null if the product's database user may not see it. */
  openSeconds: number | null;
}

/** A session with a lock that sessions of the product wait for. */
export interface LockHolder extends DatabaseSession {
  /** The table that it has locked; null for rows. */
  table: string | null;
  waiting: number;
}

/** What sessions of the product wait for in the database. */
export interface DatabaseWaits {
  /** Commits wait for a standby that `synchronous_standby_names` names. */
  standby: { names: string; waiting: number; seconds: number } | null;
  locks: LockHolder[];
}

/** An ordinary wait is shorter. */
const WAIT_SECONDS = 2;

/** What has been waited for longer than 2 s. SQL: what sessions do is in PostgreSQL's own tables. */
export async function findWaits({ db }: Pool): Promise<DatabaseWaits> {
  const [standby] = await db.run<{ names: string; waiting: number; seconds: number }>(sql`
    select current_setting('synchronous_standby_names') as names, count(*)::int as waiting,
      coalesce(max(extract(epoch from clock_timestamp() - query_start)), 0)::float8 as seconds
    from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'`);
  // Not those that wait themselves: what they wait for is what must end.
  const locks = await db.run<LockHolder>(sql`
    select b.pid, coalesce(b.usename, '') as "user", coalesce(b.application_name, '') as application,
      extract(epoch from clock_timestamp() - b.xact_start)::float8 as "openSeconds",
      max(l.relation::regclass::text) as table, count(distinct w.pid)::int as waiting
    from pg_stat_activity w
    cross join lateral unnest(pg_blocking_pids(w.pid)) as blocking(pid)
    join pg_stat_activity b on b.pid = blocking.pid
    left join pg_locks l on l.pid = w.pid and not l.granted and l.locktype = 'relation'
    where w.datname = current_database() and w.usename = current_user and w.wait_event_type = 'Lock'
      and w.query_start < clock_timestamp() - ${WAIT_SECONDS} * interval '1 second'
      and b.wait_event_type is distinct from 'Lock'
    group by b.pid, b.usename, b.application_name, b.xact_start order by waiting desc, b.pid limit 5`);
  return { standby: standby && standby.waiting > 0 ? standby : null, locks };
}

const trials = new WeakMap<Pool, Promise<DatabaseWaits | null>>();

/**
 * What a commit waits for that has not ended within 2 s; null if it has. One trial runs at a time, and it changes no
 * table.
 */
export function tryCommit(pool: Pool): Promise<DatabaseWaits | null> {
  const running = trials.get(pool) ?? trial(pool).finally(() => trials.delete(pool));
  trials.set(pool, running);
  return running;
}

async function trial(pool: Pool): Promise<DatabaseWaits | null> {
  const session = await pool.reserve();
  let reusable = false;
  const ended = new AbortController();
  try {
    const committing = session.db.run(sql`select pg_logical_emit_message(true, 'wirebird', 'trial')`);
    const late = delay(WAIT_SECONDS * 1000, 'late' as const, { ref: false, signal: ended.signal });
    late.catch(() => {});
    const outcome = await Promise.race([committing, late]);
    reusable = outcome !== 'late';
    if (reusable) return null;
    committing.catch(() => {});
    const waits = await findWaits(pool);
    // It would wait on after its connection is closed.
    await pool.db.run(sql`select pg_cancel_backend(${session.connection.backend?.pid ?? 0})`);
    return waits;
  } finally {
    ended.abort();
    session.release({ reusable });
  }
}
