import { notFound } from '#server/core/not-found.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { lockNumbers, notifyOfAccount } from '#server/numbers/queries/numbers.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { audit } from './audit.ts';
import { lockAccount, setSuspended } from './queries/accounts.ts';

/**
 * Suspends an account, whatever its plan, or resumes it. A suspended account's requests are answered with 402, and
 * its waiting messages are cancelled; its members can still read everything. Repeating it changes nothing. Throws
 * `not_found`.
 */
export async function suspendAccount(
  { database, accountId, actor }: AccountContext,
  { suspended }: { suspended: boolean },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { accountId });
    if (!account) throw notFound('account');
    if (account.suspended === suspended) return;
    await lockNumbers(tx, { accountId });
    await setSuspended(tx, { accountId, suspended });
    await notifyOfAccount(tx, { accountId });
    const cancelled = suspended ? await cancelWaiting(tx, { accountId, errorCode: 'suspended' }) : 0;
    const action = suspended ? 'account.suspend' : 'account.resume';
    await audit(tx, { actor, accountId, action, target: accountId, detail: { cancelled } });
  });
}
