import type { Database } from '#server/platform/db/client.ts';

export interface ProcessSign {
  id: string;
  kind: 'web' | 'worker';
  host: string;
  pid: number;
}

/**
 * A sign of life of a web process, for the time `seenAt` on the database's clock, or for now. A worker's says more:
 * see `workers.ts`.
 */
export async function writeProcess(
  database: Database,
  params: ProcessSign & { seenAt?: string },
): Promise<void> {
  const { id, kind, host, pid, seenAt = null } = params;
  await database.sql`
    insert into processes (id, kind, host, pid, seen_at)
    values (${id}, ${kind}, ${host}, ${pid}, coalesce(${seenAt}::timestamptz, clock_timestamp()))
    on conflict (id) do update set seen_at = excluded.seen_at`;
}

/** Now, on the database's clock, to the microsecond. */
export async function databaseTime(database: Database): Promise<string> {
  const [row] = await database.sql<{ now: string }[]>`select clock_timestamp()::text as now`;
  if (!row) throw new Error('the database does not say what time it is');
  return row.now;
}

export async function removeProcess(database: Database, params: { id: string }): Promise<void> {
  await database.sql`delete from processes where id = ${params.id}`;
}

/** Processes of one kind on a host, dead or alive. */
export async function processesOnHost(
  database: Database,
  params: { kind: 'web' | 'worker'; host: string },
): Promise<{ id: string; pid: number }[]> {
  return database.sql<{ id: string; pid: number }[]>`
    select id, pid from processes where host = ${params.host} and kind = ${params.kind}`;
}

/** Forgets processes that are gone, and those not seen for a day. */
export async function forgetProcesses(database: Database, params: { ids: string[] }): Promise<void> {
  await database.sql`
    delete from processes where id = any(${params.ids}) or seen_at < clock_timestamp() - interval '1 day'`;
}
