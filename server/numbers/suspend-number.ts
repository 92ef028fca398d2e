import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { because } from '#server/core/message-outcome.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { setAside } from './queries/holds.ts';
import { setNumberSuspended } from './queries/numbers.ts';

const REASON_CHARS = 200;

/**
 * Suspends one number, with a reason that its owner reads: it stays linked and sends nothing. Callers that wait
 * for an outcome get 409 at once; async messages stay. Repeating it changes nothing. Throws `not_found`,
 * `invalid_parameters` without a reason.
 */
export async function suspendNumber(
  context: AccountContext,
  input: OfNumber & { reason: string },
): Promise<NumberView> {
  const { numberId } = input;
  const written = cleanLine('The reason', input.reason, REASON_CHARS);
  if (written === '')
    throw new AppError('invalid_parameters', 'Enter a reason. Members of the account see it.');
  // The reason is always followed by other sentences.
  const reason = /\p{Sentence_Terminal}$/u.test(written) ? written : `${written}.`;
  return changeNumber(context, { numberId, action: 'number.suspend' }, async (tx, ref, number) => {
    if (number.suspended) return null;
    await setNumberSuspended(tx, { ...ref, reason });
    const cancelled = await cancelWaiting(tx, {
      ...ref,
      lane: 'sync',
      ...because('not_connected', 'suspended'),
    });
    return { reason, cancelled };
  });
}

/**
 * Resumes a suspended number. Its waiting messages are set aside until the owner decides about them. Repeating it
 * changes nothing. Throws `not_found`.
 */
export async function resumeNumber(context: AccountContext, { numberId }: OfNumber): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.resume' }, async (tx, ref, number) => {
    if (!number.suspended) return null;
    await setNumberSuspended(tx, { ...ref, reason: null });
    await setAside(tx, ref);
    return { waiting: number.waiting };
  });
}
