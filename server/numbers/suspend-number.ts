import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { setAside, setNumberSuspended } from './queries/numbers.ts';

const REASON_CHARS = 200;

/**
 * Suspends one number, with a reason that its owner reads: it stays linked and sends nothing. Those who wait
 * for an answer get it at once, 409; async messages stay. Repeating it changes nothing. Throws `not_found`,
 * `invalid_parameters` without a reason.
 */
export async function suspendNumber(
  database: Database,
  params: NumberChange & { reason: string },
): Promise<NumberView> {
  const written = cleanLine('The reason', params.reason, REASON_CHARS);
  if (written === '')
    throw new AppError('invalid_parameters', 'Enter a reason. Members of the account see it.');
  // Other sentences follow it wherever it is shown.
  const reason = /\p{Sentence_Terminal}$/u.test(written) ? written : `${written}.`;
  return changeNumber(database, { ...params, action: 'number.suspend' }, async (tx, number) => {
    if (number.suspended) return null;
    await setNumberSuspended(tx, { ...params, reason });
    const cancelled = await cancelWaiting(tx, {
      accountId: params.accountId,
      numberId: params.numberId,
      lane: 'plain',
      errorCode: 'not_connected',
      error: 'The administrator suspended this number before the message was sent.',
    });
    return { reason, cancelled };
  });
}

/**
 * Lets a suspended number go on. Messages that waited are set aside until its owner says whether they still go
 * out. Repeating it changes nothing. Throws `not_found`.
 */
export async function resumeNumber(database: Database, params: NumberChange): Promise<NumberView> {
  return changeNumber(database, { ...params, action: 'number.resume' }, async (tx, number) => {
    if (!number.suspended) return null;
    await setNumberSuspended(tx, { ...params, reason: null });
    await setAside(tx, params);
    return { waiting: number.waiting };
  });
}
