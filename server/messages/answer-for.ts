import { AppError } from '#server/core/errors.ts';
import { isAccepted } from '#server/core/message-state.ts';
import { notConnectedError } from '#server/core/number-status-errors.ts';
import { errorCodeOf, OUTCOMES, outcomeOf } from '#server/core/outcomes.ts';
import { lookUpsResumeInSeconds } from '#server/numbers/queries/look-ups.ts';
import { shownNumberState } from '#server/numbers/queries/number-status.ts';
import type { NumberScope } from '#server/platform/db/context.ts';
import type { MessageView } from './queries/outcomes.ts';
import { refused } from './refused.ts';

/** Returns a message that WhatsApp's server has accepted. Throws every other outcome. */
export async function answerFor(
  { database, numberId }: NumberScope,
  message: MessageView,
): Promise<MessageView> {
  if (isAccepted(message.status)) return message;
  const messageId = message.id;
  if (message.status === 'unknown') throw unknownOutcome(messageId);
  const expired = message.status === 'expired';
  const outcome = expired ? 'deadline_passed' : (message.errorCode ?? 'send_failed');
  const state =
    expired || outcomeOf(outcome).status === 409 ? await shownNumberState(database.db, { numberId }) : null;
  // The number's state explains more than the passed deadline.
  if (state && (outcome === 'not_connected' || (expired && state.status !== 'CONNECTED')))
    throw refused(notConnectedError(state), { messageId });
  const sentence = expired
    ? `${message.error ?? OUTCOMES.deadline_passed.says.async} Retry the request.`
    : (message.error ?? OUTCOMES.send_failed.says.noReason);
  throw new AppError(errorCodeOf(outcome), sentence, {
    messageId,
    outcome,
    sendOutcome: 'not_sent',
    ...(outcome === 'new_contacts'
      ? { retryAfterSeconds: await lookUpsResumeInSeconds(database, { numberId }) }
      : {}),
    ...(state && !expired ? { numberStatus: state.status } : {}),
  });
}

/** The message may have been sent, so a retry could send it twice. */
export function unknownOutcome(messageId: string): AppError {
  return new AppError('send_unknown', OUTCOMES.send_unknown.says.answer(messageId), {
    messageId,
    sendOutcome: 'unknown',
  });
}
