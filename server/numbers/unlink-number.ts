import type { NumberStatus } from '#server/core/number-state.ts';
import { UNLINKED_HERE } from '#server/core/number-words.ts';
import { type CancelCode, cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import type { Database, Tx } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { type NumberRow, setIntent, setStatus } from './queries/numbers.ts';

const WITHOUT_SESSION: readonly NumberStatus[] = ['UNLINKED', 'LOGGED_OUT'];

/**
 * Unlinks a number: what waits is cancelled and nothing more is accepted at once; a worker then logs the
 * device out at WhatsApp. Its phone number, keys and history stay. Repeating it changes nothing. Throws
 * `not_found`.
 */
export async function unlinkNumber(database: Database, params: NumberChange): Promise<NumberView> {
  return changeNumber(database, { ...params, action: 'number.unlink' }, async (tx, number) => {
    if (number.status === 'UNLINKED' && (number.intent === 'idle' || number.intent === 'unlink')) return null;
    const cancelled = await endSession(tx, {
      ...params,
      number,
      reason: UNLINKED_HERE,
      errorCode: 'unlinked',
      error: 'The number was unlinked before this message was sent.',
    });
    return { cancelled };
  });
}

/** Ends what a number has of a session and a queue; returns how many messages were cancelled. */
export async function endSession(
  tx: Tx,
  params: {
    accountId: string;
    numberId: string;
    number: NumberRow;
    reason: string;
    errorCode: CancelCode;
    error: string;
  },
): Promise<number> {
  const { accountId, numberId, number, reason, errorCode, error } = params;
  // While linking, a phone may have scanned a moment ago: the worker that shows the QR sees to that.
  const session = number.intent !== 'idle' || !WITHOUT_SESSION.includes(number.status);
  await setIntent(tx, { accountId, numberId, intent: session ? 'unlink' : 'idle' });
  // At once, and not when the worker is done, so that nothing is accepted that could never leave.
  await setStatus(tx, { accountId, numberId, status: 'UNLINKED', reason });
  return cancelWaiting(tx, { accountId, numberId, errorCode, error });
}
