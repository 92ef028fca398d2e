import { notFound } from '#server/core/not-found.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import type { OfNumber } from './get-number.ts';
import { findCancelledLately } from './queries/cancelled-lately.ts';

/** What the last unlinking or change of the phone number cancelled, for 7 days. Throws `not_found`. */
export async function cancelledLately({ database, accountId }: AccountScope, { numberId }: OfNumber) {
  const row = await findCancelledLately(database.db, { accountId, numberId });
  if (!row) throw notFound('number');
  return row;
}
