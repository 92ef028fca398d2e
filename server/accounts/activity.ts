import { requireNumberRow } from '#server/numbers/get-number.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { countsTimeZone } from './account-settings.ts';
import { countActivity } from './queries/activity.ts';

/** How far back a chart looks, and in which steps. */
export const ACTIVITY_RANGES = {
  '24h': { unit: 'hour', count: 24 },
  '7d': { unit: 'day', count: 7 },
  '30d': { unit: 'day', count: 30 },
  '90d': { unit: 'day', count: 90 },
} as const;

export type ActivityRange = keyof typeof ACTIVITY_RANGES;

/** What happened in a range of time, of one number or of all. Throws `not_found`. */
export async function activity(
  scope: AccountScope,
  input: { range: ActivityRange; numberId?: string | undefined },
) {
  const { range, numberId = null } = input;
  if (numberId !== null) await requireNumberRow(scope, { numberId });
  const { accountId, database } = scope;
  const timeZone = await countsTimeZone(scope);
  const { unit, count } = ACTIVITY_RANGES[range];
  const rows = await countActivity(database.db, { accountId, numberId, timeZone, unit, count });
  return {
    unit,
    rows,
    /** In which the hours and days begin. */
    timeZone,
    /** Days for which refused requests are known; earlier rows have none. */
    refusedDays: settings.requestLogDays,
  };
}
