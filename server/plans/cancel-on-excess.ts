import { accessMessage } from '#server/core/access.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { isWithinPlan } from '#server/numbers/number-view.ts';
import { listNumberRows } from '#server/numbers/queries/numbers.ts';
import type { Tx } from '#server/platform/db/client.ts';

/**
 * Cancels what waits on the numbers beyond those that the plan includes, and returns how many messages that
 * were. Lock the account's numbers first.
 */
export async function cancelOnExcess(tx: Tx, params: { accountId: string }): Promise<number> {
  const { accountId } = params;
  const excess = (await listNumberRows(tx, { accountId })).filter((number) => !isWithinPlan(number));
  const error = accessMessage('excess');
  let cancelled = 0;
  for (const { id } of excess)
    cancelled += await cancelWaiting(tx, { accountId, errorCode: 'plan_ended', numberId: id, error });
  return cancelled;
}
