import { accountSettings } from '#server/accounts/account-settings.ts';
import { retentionOf } from '#server/accounts/retention.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countMonth, type OutcomeCounts } from './queries/usage.ts';

/** A month can have this many days before today. */
const DAYS_OF_A_MONTH = 31;

export interface Usage extends OutcomeCounts {
  /** `YYYY-MM` */
  month: string;
  /** The time zone of the month. */
  timeZone: string;
  /** The account keeps its messages for less than a month, so erased ones are not counted. */
  partial: boolean;
}

/** The outcomes of this month's messages, in the account's time zone. Throws `not_found`. */
export async function usageOf(scope: AccountScope): Promise<Usage> {
  const { timeZone: chosen, installationTimeZone } = await accountSettings(scope);
  const timeZone = chosen ?? installationTimeZone;
  const [counts, { metadataRetentionDays }] = await Promise.all([
    countMonth(scope.database.db, { accountId: scope.accountId, timeZone }),
    retentionOf(scope),
  ]);
  return { ...counts, timeZone, partial: metadataRetentionDays < DAYS_OF_A_MONTH };
}
