import { because, type MessageOutcome } from '#server/core/message-outcome.ts';
import type { Cause } from '#server/core/number/cause.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import type { CancelCode } from '#server/core/outcomes.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { changeInside, changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { setIntent } from './queries/intents.ts';
import { setStatus } from './queries/number-events.ts';
import { markRemoved, type NumberRef, type NumberRow } from './queries/numbers.ts';

const WITHOUT_SESSION: readonly NumberStatus[] = ['UNLINKED', 'LOGGED_OUT'];

/**
 * Unlinks a number: cancels its waiting messages and refuses new ones at once; a worker then logs the device out.
 * Its phone number, keys and history stay. Repeating it changes nothing. Throws `not_found`.
 */
export async function unlinkNumber(context: AccountContext, { numberId }: OfNumber): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.unlink' }, async (tx, ref, number) => {
    if (number.status === 'UNLINKED' && (number.intent === 'idle' || number.intent === 'unlink')) return null;
    const cancelled = await endSession(tx, ref, number, {
      cause: { code: 'unlinked' },
      ...because('unlinked', 'unlinked'),
    });
    return { cancelled };
  });
}

/**
 * Removes a number from its account: unlinks it, cancels its queue and frees its place in the plan. Its keys are
 * answered with 404 until they are revoked. Throws `not_found`.
 */
export async function removeNumber(context: AccountContext, { numberId }: OfNumber): Promise<void> {
  await context.database.db.transaction((tx) =>
    changeInside(tx, context, { numberId, action: 'number.remove' }, async (_, ref, number) => {
      const cancelled = await endSession(tx, ref, number, {
        cause: { code: 'removed' },
        ...because('removed', 'number'),
      });
      await markRemoved(tx, ref);
      return { cancelled };
    }),
  );
}

/** Ends a number's session and cancels its queue; returns how many messages were cancelled. */
export async function endSession(
  tx: Tx,
  ref: NumberRef,
  number: NumberRow,
  { cause, ...outcome }: { cause: Cause } & MessageOutcome<CancelCode>,
): Promise<number> {
  const { accountId, numberId } = ref;
  // While linking, a phone may have scanned a moment ago: the worker that shows the QR handles that.
  const session = number.intent !== 'idle' || !WITHOUT_SESSION.includes(number.status);
  await setIntent(tx, { accountId, numberId, intent: session ? 'unlink' : 'idle' });
  // Set at once, not when the worker is done: otherwise messages would be accepted that could never be sent.
  await setStatus(tx, { accountId, numberId, status: 'UNLINKED', cause });
  return cancelWaiting(tx, { accountId, numberId, ...outcome });
}
