import { type OfNumber, requireNumberRow } from '#server/numbers/get-number.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countHungUp } from './queries/unsent.ts';
import { unsentRequests } from './unsent-requests.ts';

const HUNG_UP_HOURS = 1;

/**
 * What a program may not know about its requests to a number: which were refused and not sent since, in the last 24 hours
 * (null for none), and those of the last hour whose client disconnected before the response. Throws `not_found`.
 */
export async function requestsOfNumber(scope: AccountScope, { numberId }: OfNumber) {
  const { database, accountId } = scope;
  await requireNumberRow(scope, { numberId });
  const [[unsent = null], hungUp] = await Promise.all([
    unsentRequests(scope, { numberId }),
    countHungUp(database.db, { accountId, numberId, hours: HUNG_UP_HOURS }),
  ]);
  return { unsent, hungUp };
}
