const NOT_ACCEPTED = 'WhatsApp did not accept this message';

/** The known codes with which WhatsApp's server refuses a message. */
const REFUSALS: Readonly<Record<number, string>> = {
  421: `${NOT_ACCEPTED} because the recipient’s address at WhatsApp has changed. Nothing was sent. Send it again.`,
  429: `${NOT_ACCEPTED} because this number sends too much at once. Nothing was sent. Wait before you send again.`,
  463: `${NOT_ACCEPTED}: this number may not start a conversation with this recipient, who has never written to it. Nothing was sent. Ask the recipient to write first.`,
  475: `${NOT_ACCEPTED}: this number has reached its monthly limit for new chats. Nothing was sent. Wait for the next cycle. GET /v1/number shows when it begins.`,
  479: `${NOT_ACCEPTED} and gave no known reason. Nothing was sent. Check the number’s page in the dashboard before you send it again.`,
  500: 'WhatsApp’s server failed on this message. Nothing was sent. Send it again later.',
};

/** The same codes in a group, where they mean something else. */
const REFUSALS_IN_GROUP: Readonly<Record<number, string>> = {
  421: `${NOT_ACCEPTED} because the group’s members have changed. Nothing was sent. Send it again.`,
};

const WAIT_AND_REPEAT =
  'Wait a minute, then repeat the request from your program, with the same Idempotency-Key if it had one, or press Send again in the dashboard. Do only one.';

/** For a message that WhatsApp's server refused. `code`: the reason it gave, or null. */
export function refusalSentence(code: number | null, { toGroup = false } = {}): string {
  const inGroup = code === null || !toGroup ? undefined : REFUSALS_IN_GROUP[code];
  const known = inGroup ?? (code === null ? undefined : REFUSALS[code]);
  if (known) return `${known} (WhatsApp code ${code}.)`;
  const given = code === null ? '' : ` (WhatsApp’s own code ${code})`;
  return `${NOT_ACCEPTED}, and nothing was sent. Its reason is not known${given}. ${WAIT_AND_REPEAT}`;
}

/** Why a message was definitely not sent. Reasons that are separate outcomes are in `outcomes.ts`. */
export const SEND_FAILURES = {
  /** This worker no longer holds the number's lease. */
  fenced: 'The number’s session was restarted before the message was sent. Nothing was sent. You can retry.',
  media: 'WhatsApp Web could not prepare or upload the file. Nothing was sent. You can retry.',
  media_invalid: 'WhatsApp Web cannot read this file as its type. Nothing was sent. Check the file.',
  /** The stored file is not the one that was downloaded, and its URL does not lead to that one either. */
  media_damaged:
    'The file was damaged on this server’s disk before its turn, and could not be downloaded again as it was. Nothing was sent. You can retry.',
  media_too_large: 'WhatsApp does not accept a file of this size. Nothing was sent. Send a smaller file.',
  media_throttled:
    'WhatsApp does not accept files from this number for now. Nothing was sent. Wait before you send again.',
  media_forbidden:
    'WhatsApp does not allow this number to upload the file. Nothing was sent. Open WhatsApp on the phone to see why.',
  media_servers: 'WhatsApp’s file servers failed or could not be reached. Nothing was sent. You can retry.',
  contact_blocked:
    'This number has blocked the recipient. Nothing was sent. Unblock the contact on the phone.',
  /** WhatsApp Web's answer about who is on WhatsApp cannot be parsed. */
  look_ups_changed:
    'WhatsApp Web has changed, so Wirebird cannot check who is on WhatsApp. Nothing was sent. Known people can still be contacted. Ask the administrator of this server to update Wirebird.',
  /** The message did not reach the gate as it must be. */
  draft:
    'WhatsApp Web has changed and built this message wrongly, so it was stopped. Nothing was sent. Ask the administrator of this server to update Wirebird.',
  members:
    'WhatsApp did not say who is in this group, so the message would have reached nobody. Nothing was sent. You can retry.',
  storage: 'WhatsApp Web could not store the message. Nothing was sent. You can retry.',
  encryption:
    'WhatsApp Web could not encrypt the message for this recipient. Nothing was sent. You can retry.',
  disconnected: 'The connection to WhatsApp was lost. Nothing was sent. You can retry.',
  late: 'WhatsApp Web did not start sending this message, so it was stopped. Nothing was sent. You can retry.',
  page: 'WhatsApp Web could not send this message. Nothing was sent. You can retry.',
  timeout: 'WhatsApp Web did not accept this message in time. Nothing was sent. You can retry.',
} as const;

/** Why a message was not sent. */
export type SendFailure =
  | keyof typeof SEND_FAILURES
  | 'recipient_unknown' // not on WhatsApp, or a group that this number is not in
  | 'look_ups' // WhatsApp does not let the number look up recipients for now
  | 'refused'; // by WhatsApp's server

/** How far a message came: asked for, at the gate, added to its chat, handed to the job that writes it, answered. */
export type SendStep = 'before the gate' | 'at the gate' | 'before its job' | 'in its job' | 'answered';

/** A message that was not sent. `certain`: it was definitely not sent, so a retry is safe. */
export class SendError extends Error {
  readonly certain: boolean;
  readonly reason: SendFailure;
  /** The code with which WhatsApp's server refused it. */
  readonly code: number | null;
  /** How far it had come, where that is known. */
  step: SendStep | null;
  override readonly name = 'SendError';

  constructor(
    certain: boolean,
    reason: SendFailure,
    message: string,
    options: { cause?: unknown; code?: number | null; step?: SendStep | null } = {},
  ) {
    super(message, options);
    this.certain = certain;
    this.reason = reason;
    this.code = options.code ?? null;
    this.step = options.step ?? null;
  }
}
