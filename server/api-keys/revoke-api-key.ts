import { audit } from '#server/accounts/audit.ts';
import { notFound } from '#server/core/not-found.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { lockNumber } from '#server/numbers/queries/numbers.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { type ApiKeyRow, findApiKeyRow, markRevoked } from './queries/api-keys.ts';

/**
 * Revokes an API key: its next request is refused, and its waiting messages are cancelled. Repeating it changes
 * nothing. Throws `not_found`.
 */
export async function revokeApiKey(
  { database, accountId, actor }: AccountContext,
  { keyId }: { keyId: string },
): Promise<ApiKeyRow> {
  return database.db.transaction(async (tx) => {
    const key = await findApiKeyRow(tx, { accountId, keyId });
    if (!key) throw notFound('key');
    // A concurrent admission either commits before the waiting messages are read or sees the revocation.
    await lockNumber(tx, { accountId, numberId: key.numberId });
    if (await markRevoked(tx, { accountId, keyId })) {
      const cancelled = await cancelWaiting(tx, {
        accountId,
        apiKeyId: keyId,
        errorCode: 'key_revoked',
      });
      await audit(tx, { actor, accountId, action: 'key.revoke', target: keyId, detail: { cancelled } });
    }
    return (await findApiKeyRow(tx, { accountId, keyId })) ?? key;
  });
}
