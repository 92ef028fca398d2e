import type { Holding } from '#server/core/lease.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { findSession, writeStatus } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';

/** Writes why a number that should be connected or linked waits, unless its session is stopped on purpose. */
export async function showWaiting(database: Database, holding: Holding, cause: Cause): Promise<void> {
  const row = await findSession(database, holding);
  if (row?.sessionStop) return;
  if (row?.intent === 'run') await writeStatus(database, holding, { status: 'RECONNECTING', cause });
  else if (row?.intent === 'link') await writeStatus(database, holding, { status: 'LINKING', cause });
}
