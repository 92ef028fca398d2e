import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { msAgo } from '#server/platform/db/expressions.ts';
import { apiKeys, numbers, processes, users } from '#server/schema/index.ts';

/**
 * Queries for the operator: they find the account that all other queries are then scoped to.
 * Never call them for a signed-in user or an API key.
 */

/** The account of a number that is not removed; null when there is none. */
export async function accountOfNumber(db: Db, params: { numberId: string }): Promise<string | null> {
  const [found] = await db
    .select({ accountId: numbers.accountId })
    .from(numbers)
    .where(and(eq(numbers.id, params.numberId), isNull(numbers.removedAt)));
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

/** Whether somebody has an account here. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** Whether a worker still has to unlink a number's phone, also of a removed number. */
export async function isUnlinking(db: Db, params: { numberId: string }): Promise<boolean> {
  const [found] = await db
    .select({ intent: numbers.intent })
    .from(numbers)
    .where(eq(numbers.id, params.numberId));
  return found?.intent === 'unlink';
}

/** A worker gives a sign of life every few seconds; after this long without one it counts as stopped. */
export const WORKER_SILENCE_MS = 15_000;

/** Whether a worker is alive: without one nothing is linked or sent. */
export async function isWorkerAlive(db: Db): Promise<boolean> {
  const found = await db
    .select({ id: processes.id })
    .from(processes)
    .where(and(eq(processes.kind, 'worker'), gt(processes.seenAt, msAgo(WORKER_SILENCE_MS))))
    .limit(1);
  return found.length > 0;
}

/** Whether any living worker has room on its disk for sessions; also true when none is alive. */
export async function hasRoomForSessions(db: Db): Promise<boolean> {
  const alive = await db
    .select({ stopped: processes.sessionsStoppedAt })
    .from(processes)
    .where(and(eq(processes.kind, 'worker'), gt(processes.seenAt, msAgo(WORKER_SILENCE_MS))));
  return alive.length === 0 || alive.some(({ stopped }) => stopped === null);
}

/** The web and worker processes that are alive. */
export function aliveProcesses(db: Db): Promise<{ kind: 'web' | 'worker'; host: string }[]> {
  return db
    .select({ kind: processes.kind, host: processes.host })
    .from(processes)
    .where(gt(processes.seenAt, msAgo(WORKER_SILENCE_MS)));
}
