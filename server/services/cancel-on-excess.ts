import { accessMessage } from '#server/core/access.ts';
import type { Tx } from '#server/db/client.ts';
import { cancelWaiting } from '#server/store/cancel-waiting.ts';
import { listNumberRows } from '#server/store/numbers.ts';
import { isWithinPlan } from './number-view.ts';

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
