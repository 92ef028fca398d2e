import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { getMessage, type MessageRecord } from '#server/messages/get-message.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { insideNumber, type SenderContext } from '#server/platform/db/context.ts';
import { settleSetAside } from './queries/holds.ts';
import { lockNumber } from './queries/numbers.ts';

/**
 * Cancels a waiting or scheduled message of the caller's number. Throws `not_found`, and `not_cancellable` with
 * its state when it was sent or has ended.
 */
export async function cancelMessage(
  { database, accountId, numberId }: Omit<SenderContext, 'keyId'>,
  { messageId }: { messageId: string },
): Promise<MessageRecord> {
  return database.db.transaction(async (tx) => {
    await lockNumber(tx, { accountId, numberId });
    const count = await cancelWaiting(tx, {
      ...{ accountId, numberId, messageId },
      errorCode: 'cancelled_by_caller',
    });
    if (count > 0) await settleSetAside(tx, { accountId, numberId });
    // Read in the transaction: a read that failed after the commit would report an error for a cancelled message.
    const message = await getMessage(insideNumber(tx, { numberId }), { messageId });
    if (count > 0) return message;
    const { id, status } = message;
    throw new AppError('not_cancellable', OUTCOMES.not_cancellable.says(status), { earlier: { id, status } });
  });
}
