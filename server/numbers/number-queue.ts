import { AppError } from '#server/core/errors.ts';
import { because } from '#server/core/message-outcome.ts';
import { stopOf } from '#server/core/number-sign.ts';
import { shownStatus } from '#server/core/number-state.ts';
import { queueOrder } from '#server/core/pacing/lanes.ts';
import { estimateWaitMs, turnsOf } from '#server/core/pacing/waits.ts';
import { previewOf } from '#server/messages/list-messages.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import type { AccountContext, AccountScope } from '#server/platform/db/context.ts';
import { changeNumber } from './change-number.ts';
import { type OfNumber, requireNumberRow } from './get-number.ts';
import { accessOfRow, type NumberView } from './number-view.ts';
import { paceOf } from './pace.ts';
import { settleSetAside } from './queries/holds.ts';
import { findSlot, listWaiting, type WaitingRow } from './queries/number-queue.ts';

/** Async messages are bounded by a setting, sync ones by their deadline: more is not worth showing. */
const SHOWN_MAX = 300;

/**
 * A number's waiting messages: first those set aside, then the queue in the expected order, then those kept back
 * or scheduled, with the expected waits. Throws `not_found`.
 */
export async function numberQueue(scope: AccountScope, { numberId }: OfNumber) {
  const number = await requireNumberRow(scope, { numberId });
  const { accountId, database } = scope;
  const [waiting, { slots, slotInMs }] = await Promise.all([
    listWaiting(database.db, { accountId, numberId, limit: SHOWN_MAX }),
    findSlot(database.db, { accountId, numberId }),
  ]);
  const conditions = { access: accessOfRow(number), status: shownStatus(number), held: number.held };
  const sends = stopOf(conditions) === null;
  const pace = paceOf(number);
  const aside = waiting.filter((row) => row.setAside);
  const dueMs = ({ keptBackMs, scheduledMs }: WaitingRow) => keptBackMs ?? scheduledMs;
  const later = waiting.filter((row) => !row.setAside && dueMs(row) !== null);
  const queue = queueOrder(
    waiting.filter((row) => !row.setAside && dueMs(row) === null),
    slots,
  );
  later.sort((a, b) => (dueMs(a) ?? 0) - (dueMs(b) ?? 0));
  const turnMs = (ahead: number) => estimateWaitMs({ slotInMs, ahead, pace, random: 0.5 });
  const turns = turnsOf(
    later.map((row) => dueMs(row) ?? 0),
    turnMs(queue.length),
    turnMs(1) - turnMs(0),
  );
  const inMs = [...aside.map(() => null), ...queue.map((_, ahead) => turnMs(ahead)), ...turns];
  return [...aside, ...queue, ...later].map(
    ({ recipient, content, keptBackMs, scheduledMs, ...row }, at) => ({
      ...row,
      to: recipient,
      preview: previewOf(content),
      /** It waits for its time because its recipient is new to the number. */
      keptBack: keptBackMs !== null,
      scheduled: scheduledMs !== null,
      /** About how long until its turn; null while the number sends nothing. */
      inMs: sends ? (inMs[at] ?? null) : null,
    }),
  );
}

/**
 * Cancels one waiting message of a number, or all; their callers are answered at once. A message that is being
 * dispatched is not cancelled. Throws `not_found`, and `already_exists` for a message that no longer waits.
 */
export async function cancelQueue(
  context: AccountContext,
  { numberId, messageId }: OfNumber & { messageId?: string | undefined },
): Promise<NumberView & { cancelled: number }> {
  let cancelled = 0;
  const view = await changeNumber(context, { numberId, action: 'number.cancel_waiting' }, async (tx, ref) => {
    cancelled = await cancelWaiting(tx, {
      ...ref,
      ...(messageId === undefined ? {} : { messageId }),
      ...because('cancelled_by_person', 'inQueue'),
    });
    if (messageId !== undefined && cancelled === 0)
      throw new AppError('already_exists', 'This message has already left the queue. Check its outcome.');
    await settleSetAside(tx, ref);
    if (cancelled === 0) return null;
    return { cancelled, ...(messageId === undefined ? {} : { messageId }) };
  });
  return { ...view, cancelled };
}
