import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { shownStatus } from '#server/core/number-state.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { type OfNumber, requireNumberRow } from './get-number.ts';
import { askForGroups, findGroups } from './queries/number-groups.ts';
import { lockNumber } from './queries/numbers.ts';

/** A request that no worker answers within this time counts as lost. */
const ANSWER_WITHIN_MS = 20_000;

/** A number's groups, as its worker last listed them. Throws `not_found`. */
export async function numberGroups(scope: AccountScope, { numberId }: OfNumber) {
  const { database, accountId } = scope;
  await requireNumberRow(scope, { numberId });
  const row = await findGroups(database.db, { accountId, numberId });
  if (!row) return { groups: null, listedAt: null, asking: false, error: null };
  const silent = row.answeredAt === null && row.askedMsAgo > ANSWER_WITHIN_MS;
  return {
    /** Sorted by name; null if they were never listed. */
    groups: row.groups?.toSorted((a, b) => a.name.localeCompare(b.name)) ?? null,
    listedAt: row.answeredAt,
    /** A worker was asked and may still answer. */
    asking: row.answeredAt === null && !silent,
    error: silent ? 'There was no response. Try again.' : row.error,
  };
}

/** Asks for a number's groups; the answer shows in {@link numberGroups}. Throws `not_found`, `not_connected`. */
export async function askGroups(
  { database, accountId }: AccountScope,
  { numberId }: OfNumber,
): Promise<void> {
  const ref = { accountId, numberId };
  await database.db.transaction(async (tx) => {
    const number = await lockNumber(tx, ref);
    if (!number) throw notFound('number');
    const status = shownStatus(number);
    if (status !== 'CONNECTED')
      throw new AppError('not_connected', 'Only a connected number can list its groups. Link it first.', {
        numberStatus: status,
      });
    await askForGroups(tx, ref);
  });
}
