import type { AccountScope } from '#server/platform/db/context.ts';
import { countUsageByDay, type UsageRow } from './queries/usage-by-day.ts';

/** As long as the request log is kept by default. */
const DAYS = 7;

export type { UsageRow } from './queries/usage-by-day.ts';

/**
 * An account's usage on each of the last 7 days in `timeZone`, by key and number. Days without any have no rows.
 */
export const usageByDay = (
  { database, accountId }: AccountScope,
  { timeZone }: { timeZone: string },
): Promise<UsageRow[]> => countUsageByDay(database.db, { accountId, timeZone, days: DAYS });
