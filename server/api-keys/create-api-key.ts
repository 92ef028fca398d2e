import { audit } from '#server/accounts/audit.ts';
import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { lockNumber } from '#server/numbers/queries/numbers.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { mintKey } from './mint-key.ts';
import { countLiveKeys, insertApiKey } from './queries/api-keys.ts';

/** More keys suggest a program that creates one for each request. */
const LIVE_KEYS_MAX = 100;

/**
 * Makes an API key for a number. Only this answer contains `key`. Needs no plan. Throws `not_found`
 * for the number, `invalid_parameters` for the name, an expiry in the past or a number that has too many keys.
 */
export async function createApiKey(
  { database, accountId, actor }: AccountContext,
  input: { numberId: string; name?: string | undefined; expiresAt?: Date | null },
): Promise<{ id: string; key: string; hint: string }> {
  const { numberId, expiresAt = null } = input;
  const name = cleanLine('The name', input.name ?? '') || 'API key';
  const expired = () => new AppError('invalid_parameters', 'The expiry must be in the future.');
  if (expiresAt && Number.isNaN(expiresAt.getTime())) throw expired();
  return database.db.transaction(async (tx) => {
    // Locked, so that the limit also holds for keys that are made at the same moment.
    const number = await lockNumber(tx, { accountId, numberId });
    if (!number) throw notFound('number');
    if ((await countLiveKeys(tx, { accountId, numberId })) >= LIVE_KEYS_MAX)
      throw new AppError(
        'invalid_parameters',
        `This number has ${LIVE_KEYS_MAX} active keys, which is the maximum. Revoke the keys that no program uses, then try again.`,
      );
    const { id, key, hint, hmac } = mintKey(number.network);
    if (!(await insertApiKey(tx, { id, accountId, numberId, name, hmac, hint, expiresAt }))) throw expired();
    await audit(tx, { actor, accountId, action: 'key.create', target: id, detail: { numberId, hint } });
    return { id, key, hint };
  });
}
