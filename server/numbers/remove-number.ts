import type { Database } from '#server/platform/db/client.ts';
import { changeInside, type NumberChange } from './change-number.ts';
import { markRemoved } from './queries/numbers.ts';
import { endSession } from './unlink-number.ts';

/**
 * Removes a number from its account: unlinked, its queue cancelled, its place in the plan free. Its keys stay
 * keys, answered with 404, until they are revoked. Throws `not_found`.
 */
export async function removeNumber(database: Database, params: NumberChange): Promise<void> {
  await database.db.transaction((tx) =>
    changeInside(tx, { ...params, action: 'number.remove' }, async (_, number) => {
      const cancelled = await endSession(tx, {
        ...params,
        number,
        reason: 'Removed from the account.',
        errorCode: 'removed',
        error: 'The number was removed from the account before this message was sent.',
      });
      await markRemoved(tx, params);
      return { cancelled };
    }),
  );
}
