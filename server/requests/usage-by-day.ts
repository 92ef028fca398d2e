import { countsTimeZone } from '#server/accounts/account-settings.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countUsageByDay, type UsageRow } from './queries/usage-by-day.ts';

/** As long as the request log is kept by default. */
const DAYS = 7;

export type { UsageRow } from './queries/usage-by-day.ts';

/** An account's usage on each of the last 7 days in its time zone, by key and number. Days without any have no rows. */
export async function usageByDay(scope: AccountScope): Promise<{ timeZone: string; rows: UsageRow[] }> {
  const { accountId, database } = scope;
  const timeZone = await countsTimeZone(scope);
  return { timeZone, rows: await countUsageByDay(database.db, { accountId, timeZone, days: DAYS }) };
}
