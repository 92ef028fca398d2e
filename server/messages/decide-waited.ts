import { changeNumber, type NumberChange } from '#server/numbers/change-number.ts';
import type { NumberView } from '#server/numbers/number-view.ts';
import { putBack, settleSetAside } from '#server/numbers/queries/numbers.ts';
import type { Database } from '#server/platform/db/client.ts';
import { cancelWaiting } from './queries/cancel-waiting.ts';

/**
 * The owner's decision about what was set aside when the number was linked again: it goes out at the number's
 * pace, or it is cancelled. Repeating it changes nothing. Throws `not_found`.
 */
export async function decideWaited(
  database: Database,
  params: NumberChange & { send: boolean },
): Promise<NumberView & { decided: number }> {
  const { accountId, numberId, send } = params;
  const action = send ? 'number.send_waited' : 'number.discard_waited';
  let decided = 0;
  const view = await changeNumber(database, { ...params, action }, async (tx) => {
    if (send) decided = await putBack(tx, { accountId, numberId });
    else {
      decided = await cancelWaiting(tx, {
        ...{ accountId, numberId },
        setAside: true,
        errorCode: 'cancelled_by_person',
        error: 'Discarded in the dashboard after its number was linked again.',
      });
      await settleSetAside(tx, { accountId, numberId });
    }
    return decided === 0 ? null : { messages: decided };
  });
  return { ...view, decided };
}
