import { callerInDashboard, requireAccess, requireNumber } from '#server/api-keys/caller.ts';
import { takeSend } from '#server/api-keys/rate-limit.ts';
import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import type { MessageContent } from '#server/core/message.ts';
import { isSettled } from '#server/core/message-state.ts';
import { notFound } from '#server/core/not-found.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { keepTrialRunning } from '#server/plans/trial.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { findMessageDetail } from './queries/message-list.ts';
import { type SendResult, sendMessage } from './send-message.ts';

type SendingContext = Omit<AccountContext, 'actor'>;

export interface DashboardSend {
  numberId: string;
  /** Its recipient and content; read only after the earlier checks have passed. */
  read: () => { recipient: Recipient; content: MessageContent };
  mode: AnswerMode;
  /** The reference of the message that is sent again. */
  reference?: string | null;
  /** The message that is sent again. */
  repeats?: string | null;
  /** Under it one message is made, as with a caller's Idempotency-Key. */
  onceKey?: string | null;
  onJoined?: () => void;
}

/**
 * Sends as REST does, in the same order: rate limit, access, then the checks of {@link sendMessage}. A message
 * that was accepted is sent even if the person leaves the page. Throws `not_found`, `rate_limited`,
 * `plan_inactive`, and what sending throws.
 */
export async function sendFromDashboard(
  context: SendingContext,
  {
    numberId,
    read,
    mode,
    reference = null,
    repeats = null,
    onceKey = null,
    onJoined = () => {},
  }: DashboardSend,
): Promise<SendResult> {
  const { database, accountId } = context;
  const arrivedAtMs = performance.now();
  const caller = await callerInDashboard(context, { numberId });
  await takeSend({ database }, caller);
  requireAccess(caller);
  requireNumber(caller);
  if (caller.onTrial) await keepTrialRunning(context, { numberId });
  return sendMessage(
    { database, accountId, numberId, keyId: null },
    {
      ...{ mode, arrivedAtMs, reference, repeats },
      ...read(),
      idempotencyKey: onceKey,
      requestId: null,
      // If a person sends the same message twice, these are two messages, unless the first response was lost.
      requestHash: null,
      signal: new AbortController().signal,
      onJoined,
    },
  );
}

/**
 * Sends the contents of a message again, as a new async message. After `unknown` it may arrive twice; the person
 * decides. `atItsTime`: at the time for which the first one was scheduled. `sentAgainAs`: the latest such message that
 * the person sees, or else the page's `attempt`. If it was sent again since, resolves to that message, with `already`.
 * Throws `not_found`, `already_exists` while the first one waits or is being sent, `invalid_parameters` if its text was
 * erased, and what sending throws.
 */
export async function sendAgain(
  context: SendingContext,
  {
    messageId,
    sentAgainAs,
    attempt,
    atItsTime = false,
  }: {
    messageId: string;
    sentAgainAs?: string | null | undefined;
    attempt?: string | undefined;
    atItsTime?: boolean | undefined;
  },
): Promise<{ messageId: string; already: boolean }> {
  const { database, accountId } = context;
  const earlier = await findMessageDetail(database.db, { accountId, messageId });
  if (!earlier) throw notFound('message');
  if (!isSettled(earlier.status))
    throw new AppError('already_exists', 'This message is still on its way. Wait for its outcome first.');
  const { content, sendAt, scheduledAhead } = earlier;
  if (!content)
    throw new AppError(
      'invalid_parameters',
      'The content of this message was erased, so it cannot be sent again.',
    );
  if (atItsTime && !scheduledAhead)
    throw new AppError('invalid_parameters', 'Its scheduled time has passed. Send it now.');
  const known = sentAgainAs === undefined ? attempt && `attempt ${attempt}` : sentAgainAs;
  let already = false;
  const { message } = await sendFromDashboard(context, {
    numberId: earlier.numberId,
    read: () => ({ recipient: earlier.to, content }),
    mode: { kind: 'async', expiresInSeconds: null, ...(atItsTime && sendAt && { sendAt }) },
    reference: earlier.reference,
    repeats: messageId,
    // Callers' keys are stored as hashes, so none is equal.
    onceKey: known === undefined ? null : `again ${messageId} ${known}`,
    onJoined: () => {
      already = true;
    },
  });
  return { messageId: message.id, already };
}
