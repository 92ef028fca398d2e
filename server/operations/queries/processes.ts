import { and, eq, gt, lt, ne, or, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import { anyOf, daysAgo, msAgo, now } from '#server/platform/db/expressions.ts';
import { processes } from '#server/schema/index.ts';

export interface ProcessSign {
  id: string;
  kind: 'web' | 'worker';
  host: string;
  pid: number;
  pidSpace: string;
}

/**
 * A web process's sign of life, for the time `seenAt` on the database's clock, or for now. Workers write theirs
 * with `writeWorker`.
 */
export async function writeProcess(
  database: Database,
  params: ProcessSign & { seenAt?: string },
): Promise<void> {
  const { seenAt = null, ...sign } = params;
  await database.db
    .insert(processes)
    .values({ ...sign, seenAt: sql`coalesce(${seenAt}::timestamptz, clock_timestamp())`, aliveAt: now })
    .onConflictDoUpdate({ target: processes.id, set: { seenAt: sql`excluded.seen_at`, aliveAt: now } });
}

/** A sign of life of a web process that is still recording hang-ups. */
export async function writeAlive(database: Database, params: { id: string }): Promise<void> {
  await database.db.update(processes).set({ aliveAt: now }).where(eq(processes.id, params.id));
}

/** Now, on the database's clock, to the microsecond. */
export async function databaseTime(database: Database): Promise<string> {
  // No table to select from.
  const [row] = await database.db.run<{ now: string }>(sql`select clock_timestamp()::text as now`);
  if (!row) throw new Error('the database does not say what time it is');
  return row.now;
}

/**
 * Whether a web process besides this one has not yet recorded all hang-ups before `ageMs` ago. No request is in progress
 * for longer than a minute.
 */
export async function hasUnrecorded(
  { db }: Database,
  { besides, ageMs }: { besides: string; ageMs: number },
): Promise<boolean> {
  const rows = await db
    .select({ id: processes.id })
    .from(processes)
    .where(
      and(
        eq(processes.kind, 'web'),
        ne(processes.id, besides),
        lt(processes.seenAt, msAgo(ageMs)),
        gt(processes.seenAt, msAgo(60_000)),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export async function removeProcess(database: Database, params: { id: string }): Promise<void> {
  await database.db.delete(processes).where(eq(processes.id, params.id));
}

/** Processes whose pids count here: containers may share a host name. */
export async function processesHere(
  database: Database,
  params: { kind: 'web' | 'worker'; host: string; pidSpace: string },
): Promise<{ id: string; pid: number }[]> {
  const { pidSpace, host, kind, id, pid } = processes;
  return database.db
    .select({ id, pid })
    .from(processes)
    .where(and(eq(host, params.host), eq(kind, params.kind), eq(pidSpace, params.pidSpace)));
}

/** Deletes these processes, and those without a sign of life for a day. */
export async function forgetProcesses(database: Database, params: { ids: string[] }): Promise<void> {
  await database.db
    .delete(processes)
    .where(or(anyOf(processes.id, params.ids), lt(processes.seenAt, daysAgo(1))));
}
