import type { Db } from '#server/db/client.ts';
import { markAlertsRead as mark } from '#server/store/alerts.ts';

/** Notes that one of an account's people has read all of its alerts. */
export async function markAlertsRead(db: Db, params: { accountId: string; userId: string }): Promise<void> {
  await mark(db, params);
}
