import type { Database } from '#server/platform/db/client.ts';

/** A sign of life of a web process. A worker's says more: see `workers.ts`. */
export async function writeProcess(
  database: Database,
  params: { id: string; kind: 'web' | 'worker'; host: string; pid: number },
): Promise<void> {
  const { id, kind, host, pid } = params;
  await database.sql`
    insert into processes (id, kind, host, pid) values (${id}, ${kind}, ${host}, ${pid})
    on conflict (id) do update set seen_at = clock_timestamp()`;
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
