import { audit } from '#server/accounts/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import type { Database } from '#server/platform/db/client.ts';
import { createApiKey } from './create-api-key.ts';
import { findApiKeyRow, limitExpiry } from './queries/api-keys.ts';

/** How long a key may go on working beside the one that takes its place. */
const OVERLAP_HOURS_MAX = 30 * 24;

/**
 * Makes a key in the place of another: the old one goes on working for `overlapHours`, or until its own
 * expiry where that is sooner, so that nobody is cut off while programs change over. `key` is in this answer
 * and nowhere else. Throws `not_found`, `invalid_parameters` for the hours and for a key that works no more.
 */
export async function rotateApiKey(
  database: Database,
  params: { accountId: string; keyId: string; overlapHours: number; actor: Actor },
): Promise<{ id: string; key: string; oldExpiresAt: Date }> {
  const { accountId, keyId, overlapHours, actor } = params;
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_HOURS_MAX)
    throw new AppError('invalid_parameters', `The overlap must be 0 to ${OVERLAP_HOURS_MAX} hours.`);
  return database.db.transaction(async (tx) => {
    const old = await findApiKeyRow(tx, { accountId, keyId });
    if (!old) throw notFound('key');
    const oldExpiresAt = await limitExpiry(tx, { accountId, keyId, overlapHours });
    if (!oldExpiresAt)
      throw new AppError('invalid_parameters', 'This key was revoked or has expired. Create a new one.');
    const { id, key } = await createApiKey(
      { ...database, db: tx },
      { accountId, numberId: old.numberId, name: old.name, actor },
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
