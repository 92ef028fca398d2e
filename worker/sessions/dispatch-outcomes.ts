import { SendError } from '#server/core/engine.ts';
import type { statusOfAck } from '#server/core/message-state.ts';
import type { ClaimedMessage, OutcomeWrite } from '#server/store/dispatch.ts';

/** What was handed over and not acknowledged. */
export const UNCONFIRMED: OutcomeWrite = {
  status: 'unknown',
  errorCode: 'send_unknown',
  error:
    'WhatsApp has not confirmed this message. It may have arrived; look on the phone before sending again.',
};
const RECIPIENT_UNKNOWN = 'This number is not on WhatsApp. Check it, then send again.';
const GROUP_UNKNOWN = 'This number is not in that group, or the group does not exist.';

/** What an acknowledgement makes of a message. */
export function outcomeOf(status: NonNullable<ReturnType<typeof statusOfAck>>): OutcomeWrite {
  switch (status) {
    case 'sent':
    case 'delivered':
    case 'read':
      return { status };
    default:
      return {
        status: 'failed',
        errorCode: 'send_failed',
        error: 'WhatsApp refused this message. Nothing was delivered.',
      };
  }
}

/** What went wrong in the session, as a failure that says whether something may have left. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  return new SendError(false, 'page', 'the session failed', { cause: error });
}

/** Of a message that has certainly not left. */
export function certainFailure(failure: SendError, message: ClaimedMessage): OutcomeWrite {
  if (failure.reason === 'recipient_unknown') {
    const group = message.recipient.endsWith('@g.us');
    return {
      status: 'failed',
      errorCode: 'recipient_unknown',
      error: group ? GROUP_UNKNOWN : RECIPIENT_UNKNOWN,
    };
  }
  return {
    status: 'failed',
    errorCode: 'send_failed',
    error: 'WhatsApp Web could not send this message. Nothing left; it can be repeated.',
  };
}
