import { isMedia } from '#server/core/message.ts';
import type { statusOfAck } from '#server/core/message-state.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { isGroup, type Recipient } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import type { OutcomeWrite } from '#server/messages/queries/dispatch.ts';

/** The outcome of a dispatched message without acknowledgement. */
export const UNCONFIRMED: OutcomeWrite = {
  status: 'unknown',
  errorCode: 'send_unknown',
  error: OUTCOMES.send_unknown.says.unconfirmed,
};

/** The outcome that an acknowledgement decides. `code`: why WhatsApp refused the message, to `recipient` if known. */
export function outcomeOfAck(
  status: NonNullable<ReturnType<typeof statusOfAck>>,
  code: number | null = null,
  recipient: Recipient | null = null,
): OutcomeWrite {
  if (status !== 'failed') return { status };
  return { status, errorCode: 'send_failed', error: refusedSentence(code, recipient) };
}

const refusedSentence = (code: number | null, recipient: Recipient | null) =>
  OUTCOMES.send_failed.says.refused(code, { toGroup: recipient !== null && isGroup(recipient) });

/** An error of the session, as a failure that says whether the message may have left. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  return new SendError(false, 'page', 'the session failed', { cause: error });
}

/** The page never began to send this message. Not a file's: its upload can be slow. */
export function isNotStarted({ reason }: SendError, { content }: ClaimedMessage): boolean {
  return reason === 'late' || (reason === 'timeout' && !isMedia(content));
}

/** The outcome of a message that was definitely not sent. */
export function certainFailure(
  { reason, code }: SendError,
  { recipient }: { recipient: Recipient | null },
): OutcomeWrite {
  const { recipient_unknown, new_contacts, send_failed } = OUTCOMES;
  switch (reason) {
    case 'recipient_unknown': {
      const { group, person } = recipient_unknown.says;
      const error = recipient && isGroup(recipient) ? group : person;
      return { status: 'failed', errorCode: 'recipient_unknown', error };
    }
    case 'look_ups':
      return { status: 'failed', errorCode: 'new_contacts', error: new_contacts.says.lookUps };
    case 'refused':
      return { status: 'failed', errorCode: 'send_failed', error: refusedSentence(code, recipient) };
    // The file's fault, as when it is checked before its turn: a repeat fails again.
    case 'media_invalid':
      return { status: 'failed', errorCode: 'media_unusable', error: send_failed.says[reason] };
    case 'media_too_large':
      return { status: 'failed', errorCode: 'media_too_large', error: send_failed.says[reason] };
    default:
      return { status: 'failed', errorCode: 'send_failed', error: send_failed.says[reason] };
  }
}
