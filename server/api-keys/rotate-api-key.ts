import { audit } from '#server/accounts/audit.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { lockNumber } from '#server/numbers/queries/numbers.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { createApiKey } from './create-api-key.ts';
import { findApiKeyRow, limitExpiry } from './queries/api-keys.ts';

/** How long a key may keep working beside its replacement. */
const OVERLAP_HOURS_MAX = 30 * 24;

/**
 * Replaces a key. The old one works for `overlapHours` more, or until its own expiry if that is sooner, so that
 * programs have time to change. Only this answer contains `key`. Throws `not_found`, `invalid_parameters` for the
 * hours and for a key that no longer works.
 */
export async function rotateApiKey(
  context: AccountContext,
  { keyId, overlapHours }: { keyId: string; overlapHours: number },
): Promise<{ id: string; key: string; oldExpiresAt: Date }> {
  const { database, accountId, actor } = context;
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_HOURS_MAX)
    throw new AppError('invalid_parameters', `The overlap must be 0 to ${OVERLAP_HOURS_MAX} hours.`);
  return database.db.transaction(async (tx) => {
    const old = await findApiKeyRow(tx, { accountId, keyId });
    if (!old) throw notFound('key');
    // Before the key, as in `revokeApiKey`.
    await lockNumber(tx, { accountId, numberId: old.numberId });
    const oldExpiresAt = await limitExpiry(tx, { accountId, keyId, overlapHours });
    if (!oldExpiresAt)
      throw new AppError('invalid_parameters', 'This key was revoked or has expired. Create a new one.');
    const { id, key } = await createApiKey(
      { ...context, database: { ...database, db: tx } },
      { numberId: old.numberId, name: old.name },
    );
    await audit(tx, {
      actor,
      accountId,
      action: 'key.rotate',
      target: keyId,
      detail: { into: id, overlapHours },
    });
    return { id, key, oldExpiresAt };
  });
}
