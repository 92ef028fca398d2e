import { SendError, type SendFailure } from '#server/core/engine.ts';
import type { statusOfAck } from '#server/core/message-state.ts';
import { isGroup, type Recipient } from '#server/core/recipient.ts';
import type { OutcomeWrite } from '#server/messages/queries/dispatch.ts';

/** What was handed over and not acknowledged. */
export const UNCONFIRMED: OutcomeWrite = {
  status: 'unknown',
  errorCode: 'send_unknown',
  error:
    'WhatsApp has not confirmed this message. It may have arrived. Check the phone before you send it again.',
};
const RECIPIENT_UNKNOWN = 'This number is not on WhatsApp. Check it, then send again.';
const GROUP_UNKNOWN =
  'This number is not in that group, or the group does not exist. Nothing was sent. Add the number to the group on a phone, or check the group’s ID in the dashboard, then send again.';
const REFUSED = 'WhatsApp refused this message. Nothing was delivered.';

/** What WhatsApp's server means by the code with which it refuses a message, as far as that is known. */
const REFUSALS: Readonly<Record<number, string>> = {
  421: 'WhatsApp refused this message because the group’s members have changed. Nothing was delivered. Send it again.',
  429: 'WhatsApp refused this message because this number sends too much at once. Nothing was delivered. Wait before you send again.',
  463: 'WhatsApp refused this message: this number cannot write to this recipient, who has not written to it before. Nothing was delivered.',
  475: 'WhatsApp refused this message: this number has reached its monthly limit for new chats. Nothing was delivered.',
  479: 'WhatsApp refused this message for an unknown reason. Nothing was delivered.',
  500: 'WhatsApp’s server failed on this message. Nothing was delivered. Send it again later.',
};

/** The sentence for what certainly did not leave, by why. */
const NOT_SENT: Readonly<Record<Exclude<SendFailure, 'recipient_unknown' | 'refused'>, string>> = {
  look_ups:
    'WhatsApp answers no more look-ups of new recipients from this number for now. Nothing was sent. Retry the request later. It can still write to people it has written to before.',
  look_ups_changed:
    'WhatsApp Web has changed, and no longer says clearly who is on WhatsApp. Nothing was sent. This number can still write to people it has written to before. The operator of this server should update Wirebird.',
  fenced: 'The server lost this number before it sent the message. Nothing was sent. You can retry.',
  media: 'WhatsApp Web could not prepare or upload the file. Nothing was sent. You can retry.',
  media_invalid: 'WhatsApp Web cannot read this file as its type. Nothing was sent. Check the file.',
  media_too_large: 'WhatsApp does not accept a file of this size. Nothing was sent.',
  media_throttled:
    'WhatsApp accepts no more files from this number for now. Nothing was sent. Wait before you send again.',
  media_forbidden: 'WhatsApp does not allow this number to upload the file. Nothing was sent.',
  media_servers: 'WhatsApp’s file servers failed or could not be reached. Nothing was sent. You can retry.',
  contact_blocked:
    'This number has blocked the recipient. Nothing was sent. Unblock the contact on the phone.',
  storage: 'WhatsApp Web could not store the message. Nothing was sent. You can retry.',
  encryption:
    'WhatsApp Web could not encrypt the message for this recipient. Nothing was sent. You can retry.',
  disconnected: 'The connection to WhatsApp was lost. Nothing was sent. You can retry.',
  late: 'The message was not sent in time and was stopped. Nothing was sent. You can retry.',
  page: 'WhatsApp Web could not send this message. Nothing was sent. You can retry.',
  timeout: 'WhatsApp Web did not accept this message in time. Nothing was sent. You can retry.',
};

/** What an acknowledgement makes of a message. `code`: why it was refused. */
export function outcomeOf(
  status: NonNullable<ReturnType<typeof statusOfAck>>,
  code: number | null = null,
): OutcomeWrite {
  switch (status) {
    case 'sent':
    case 'delivered':
    case 'read':
      return { status };
    default:
      return { status: 'failed', errorCode: 'send_failed', error: refusal(code) };
  }
}

/** The sentence for a message that WhatsApp's server has refused. */
function refusal(code: number | null): string {
  return code === null ? REFUSED : `${REFUSALS[code] ?? REFUSED} (WhatsApp’s code ${code}.)`;
}

/** What went wrong in the session, as a failure that says whether something may have left. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  return new SendError(false, 'page', 'the session failed', { cause: error });
}

/** The outcome of a message that has certainly not left. */
export function certainFailure(
  { reason, code }: SendError,
  { recipient }: { recipient: Recipient | null },
): OutcomeWrite {
  if (reason === 'recipient_unknown') {
    return {
      status: 'failed',
      errorCode: 'recipient_unknown',
      error: recipient && isGroup(recipient) ? GROUP_UNKNOWN : RECIPIENT_UNKNOWN,
    };
  }
  return {
    status: 'failed',
    errorCode: reason === 'look_ups' ? 'new_contacts' : 'send_failed',
    error: reason === 'refused' ? refusal(code) : NOT_SENT[reason],
  };
}
