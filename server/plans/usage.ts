import { accountSettings } from '#server/accounts/account-settings.ts';
import { retentionOf } from '#server/accounts/retention.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countMonth, type OutcomeCounts } from './queries/usage.ts';

/** So many days may a month have had before today. */
const DAYS_OF_A_MONTH = 31;

export interface Usage extends OutcomeCounts {
  /** `YYYY-MM` */
  month: string;
  /** Whose month it is. */
  timeZone: string;
  /** The account keeps its messages for less than a month: what was erased is not counted. */
  partial: boolean;
}

/** What became of this month's messages, in the account's time zone. Throws `not_found`. */
export async function usageOf(scope: AccountScope): Promise<Usage> {
  const { timeZone: chosen, installationTimeZone } = await accountSettings(scope);
  const timeZone = chosen ?? installationTimeZone;
  const [counts, { metadataRetentionDays }] = await Promise.all([
    countMonth(scope.database.db, { accountId: scope.accountId, timeZone }),
    retentionOf(scope),
  ]);
  return { ...counts, timeZone, partial: metadataRetentionDays < DAYS_OF_A_MONTH };
}
