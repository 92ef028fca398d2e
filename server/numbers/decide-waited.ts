import { because } from '#server/core/message-outcome.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { putBack, settleSetAside } from './queries/holds.ts';

/**
 * Carries out the owner's decision about the messages that are set aside: they are sent at the number's interval, or
 * cancelled. Repeating it changes nothing. Throws `not_found`.
 */
export async function decideWaited(
  context: AccountContext,
  { numberId, send }: OfNumber & { send: boolean },
): Promise<NumberView & { decided: number }> {
  const action = send ? 'number.send_waited' : 'number.discard_waited';
  let decided = 0;
  const view = await changeNumber(context, { numberId, action }, async (tx, ref) => {
    if (send) decided = await putBack(tx, ref);
    else {
      decided = await cancelWaiting(tx, {
        ...ref,
        setAside: true,
        ...because('cancelled_by_person', 'setAside'),
      });
      await settleSetAside(tx, ref);
    }
    return decided === 0 ? null : { messages: decided };
  });
  return { ...view, decided };
}
