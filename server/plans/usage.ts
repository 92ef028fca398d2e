import { countsTimeZone } from '#server/accounts/account-settings.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countMonth } from './queries/usage.ts';

/** The outcomes of this month's messages, in the account's time zone. */
export async function usageOf(scope: AccountScope) {
  const timeZone = await countsTimeZone(scope);
  const counts = await countMonth(scope.database.db, { accountId: scope.accountId, timeZone });
  return { ...counts, timeZone };
}
