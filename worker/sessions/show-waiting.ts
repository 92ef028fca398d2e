import type { Holding } from '#server/core/lease.ts';
import { findSession, writeStatus } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';

/** Writes why a number that should be connected or linked waits, unless its session is stopped on purpose. */
export async function showWaiting(database: Database, holding: Holding, reason: string): Promise<void> {
  const row = await findSession(database, holding);
  if (row?.stopReason) return;
  if (row?.intent === 'run') await writeStatus(database, holding, { status: 'RECONNECTING', reason });
  else if (row?.intent === 'link') await writeStatus(database, holding, { status: 'LINKING', reason });
}
