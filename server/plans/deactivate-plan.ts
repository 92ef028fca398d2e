import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { accessMessage } from '#server/core/access.ts';
import type { Actor } from '#server/core/actor.ts';
import { notFound } from '#server/core/not-found.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { lockNumbers, tellOfAccount } from '#server/numbers/queries/numbers.ts';
import type { Database } from '#server/platform/db/client.ts';
import { planOf, type SubscriptionView } from './plan-of.ts';
import { endSubscription } from './queries/subscriptions.ts';

/** Ends an account's plan at once and cancels what waits. Repeating it changes nothing. Throws `not_found`. */
export async function deactivatePlan(
  database: Database,
  params: { accountId: string; actor: Actor },
): Promise<SubscriptionView> {
  const { accountId, actor } = params;
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    await lockNumbers(tx, { accountId });
    if (await endSubscription(tx, { accountId })) {
      await tellOfAccount(tx, { accountId });
      const error = accessMessage('ended');
      const cancelled = await cancelWaiting(tx, { accountId, errorCode: 'plan_ended', error });
      await audit(tx, {
        actor,
        accountId,
        action: 'plan.deactivate',
        target: accountId,
        detail: { cancelled },
      });
    }
    return planOf(tx, { accountId });
  });
}
