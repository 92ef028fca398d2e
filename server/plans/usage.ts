import { countsTimeZone } from '#server/accounts/account-settings.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countMonth, type OutcomeCounts } from './queries/usage.ts';

export interface Usage extends OutcomeCounts {
  /** `YYYY-MM` */
  month: string;
  /** The time zone of the month. */
  timeZone: string;
}

/** The outcomes of this month's messages, in the account's time zone. */
export async function usageOf(scope: AccountScope): Promise<Usage> {
  const timeZone = await countsTimeZone(scope);
  const counts = await countMonth(scope.database.db, { accountId: scope.accountId, timeZone });
  return { ...counts, timeZone };
}
