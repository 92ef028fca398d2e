import { isMedia } from '#server/core/message.ts';
import { because, type MessageOutcome } from '#server/core/message-outcome.ts';
import type { statusOfAck } from '#server/core/message-state.ts';
import { isGroup, type Recipient } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import type { OutcomeWrite } from '#server/messages/queries/dispatch.ts';

/** The outcome of a dispatched message without acknowledgement. */
export const UNCONFIRMED: OutcomeWrite = {
  status: 'unknown',
  ...because('send_unknown', 'unconfirmed'),
};

/** The outcome that an acknowledgement decides. `code`: why WhatsApp refused the message, to `recipient` if known. */
export function outcomeOfAck(
  status: NonNullable<ReturnType<typeof statusOfAck>>,
  code: number | null = null,
  recipient: Recipient | null = null,
): OutcomeWrite {
  if (status !== 'failed') return { status };
  return { status, ...refused(code, recipient) };
}

const refused = (code: number | null, recipient: Recipient | null): MessageOutcome => ({
  errorCode: 'send_failed',
  outcome: { say: 'refused', code, toGroup: recipient !== null && isGroup(recipient) },
});

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
  switch (reason) {
    case 'recipient_unknown': {
      const say = recipient && isGroup(recipient) ? 'group' : 'person';
      return { status: 'failed', ...because('recipient_unknown', say) };
    }
    case 'look_ups':
      return { status: 'failed', ...because('new_contacts', 'lookUps') };
    case 'refused':
      return { status: 'failed', ...refused(code, recipient) };
    // The file's fault, as when it is checked before its turn: a repeat fails again.
    case 'media_invalid':
      return { status: 'failed', errorCode: 'media_unusable', outcome: { say: reason } };
    case 'media_too_large':
      return { status: 'failed', errorCode: 'media_too_large', outcome: { say: reason } };
    default:
      return { status: 'failed', errorCode: 'send_failed', outcome: { say: reason } };
  }
}
