import { notFound } from '#server/core/not-found.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import type { OfNumber } from './get-number.ts';
import { findRestoredLately, type RestoredLatelyRow } from './queries/restored-lately.ts';

/** What a restore or a move left unknown or expired, for 7 days. Throws `not_found`. */
export async function restoredLately(
  { database, accountId }: AccountScope,
  { numberId }: OfNumber,
): Promise<RestoredLatelyRow> {
  const row = await findRestoredLately(database.db, { accountId, numberId });
  if (!row) throw notFound('number');
  return row;
}
