import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { apiKeys, numbers, processes } from '#server/schema/index.ts';

/**
 * Queries of the operator, who stands above accounts: they find the account to which everything else is then
 * scoped. Never call them for a signed-in user or an API key.
 */

/** The account of a number that is not removed; null when there is none. */
export async function accountOfNumber(db: Db, params: { numberId: string }): Promise<string | null> {
  const [found] = await db
    .select({ accountId: numbers.accountId })
    .from(numbers)
    .where(sql`${numbers.id} = ${params.numberId} and ${numbers.removedAt} is null`);
  return found?.accountId ?? null;
}

/** The account of an API key; null when there is none. */
export async function accountOfKey(db: Db, params: { keyId: string }): Promise<string | null> {
  const [found] = await db
    .select({ accountId: apiKeys.accountId })
    .from(apiKeys)
    .where(eq(apiKeys.id, params.keyId));
  return found?.accountId ?? null;
}

/** Whether a worker has yet to log a number's device out; of a removed number too. */
export async function isUnlinking(db: Db, params: { numberId: string }): Promise<boolean> {
  const [found] = await db
    .select({ intent: numbers.intent })
    .from(numbers)
    .where(eq(numbers.id, params.numberId));
  return found?.intent === 'unlink';
}

/** A worker says that it lives every few seconds; one that was silent for this long is gone. */
export const WORKER_SILENCE_MS = 15_000;

/** Whether a worker gave a sign of life within `withinMs`: without one nothing is linked or sent. */
export async function isWorkerAlive(db: Db, params: { withinMs: number }): Promise<boolean> {
  const found = await db
    .select({ id: processes.id })
    .from(processes)
    .where(
      sql`${processes.kind} = 'worker'
        and ${processes.seenAt} > clock_timestamp() - ${params.withinMs} * interval '1 millisecond'`,
    )
    .limit(1);
  return found.length > 0;
}

/** Whether any worker that is alive has room on its disk for sessions; true as well where none is alive. */
export async function hasRoomForSessions(db: Db): Promise<boolean> {
  const alive = await db
    .select({ stopped: processes.sessionsStoppedAt })
    .from(processes)
    .where(
      sql`${processes.kind} = 'worker'
        and ${processes.seenAt} > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'`,
    );
  return alive.length === 0 || alive.some(({ stopped }) => stopped === null);
}

/** The web and worker processes that are alive. */
export function aliveProcesses(db: Db): Promise<{ kind: 'web' | 'worker'; host: string }[]> {
  return db
    .select({ kind: processes.kind, host: processes.host })
    .from(processes)
    .where(sql`${processes.seenAt} > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'`);
}
