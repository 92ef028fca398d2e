import { AppError } from '#server/core/errors.ts';
import type { Db } from '#server/platform/db/client.ts';
import { markAlertRead, markAlertsRead as markAll } from './queries/alerts.ts';

/** Notes that one of an account's people has read all of its alerts, or one of them. Throws `not_found`. */
export async function markAlertsRead(
  db: Db,
  params: { accountId: string; userId: string; alertId?: string },
): Promise<void> {
  const { accountId, userId, alertId } = params;
  if (alertId === undefined) return markAll(db, { accountId, userId });
  if (!(await markAlertRead(db, { accountId, userId, alertId })))
    throw new AppError('not_found', 'This alert no longer exists.');
}
