import { SendError, type SendFailure } from '#server/core/send-failures.ts';
import { HOOK_ERRORS } from './page/hook-errors.ts';
import { TimeoutError } from './timeout.ts';

/** Why a message was not sent, from the error texts of the page and the library. */

/** Errors that occur only while the page looks up the recipient. */
const RECIPIENT = /No LID for user|Chat not found|invalid wid/i;
/** The page itself closed during the call. */
const PAGE_GONE = /Target closed|Session closed|Connection closed|context was destroyed|detached|crashed/i;

const MEDIA: readonly (readonly [RegExp, SendFailure])[] = [
  [/InvalidImageFileType|InvalidMediaCheckRepairFailedType|ERROR_FILE_NOT_READABLE/, 'media_invalid'],
  [/ERROR_TOO_LARGE/, 'media_too_large'],
  [/ERROR_THROTTLED/, 'media_throttled'],
  [/ERROR_FORBIDDEN/, 'media_forbidden'],
  [/upload failed: cancel/i, 'media'],
  [/upload failed/, 'media_servers'],
];

/** The gate has not opened: the message is definitely not sent. */
export function errorBeforeGate(
  { fenced, withMedia }: { fenced: boolean; withMedia: boolean },
  error: Error,
): SendError {
  const failed = (reason: SendFailure) => new SendError(true, reason, error.message, { cause: error });
  if (fenced) return failed('fenced');
  if (error instanceof TimeoutError) return failed('timeout');
  if (RECIPIENT.test(error.message)) return failed('recipient_unknown');
  // Sending includes looking up an unknown recipient.
  if (error.message.includes('rate-overlimit')) return failed('look_ups');
  if (!withMedia || PAGE_GONE.test(error.message)) return failed('page');
  const text = `${error.name}: ${error.message}`;
  return failed(MEDIA.find(([pattern]) => pattern.test(text))?.[1] ?? 'media');
}

/** One of the two promises of `addAndSendMsgToChat` rejected. Certain if no job was let through. */
export function errorAfterAdding(text: string, reason: SendFailure): SendError {
  return new SendError(true, /contact is blocked/i.test(text) ? 'contact_blocked' : reason, text);
}

/**
 * The job that writes the stanza rejected. Once it has passed its gate (`through`), only these errors certainly come before
 * it writes: any other one may also come from a step after the stanza.
 */
export function errorOfJob(text: string, { through }: { through: boolean }): SendError {
  if (text.includes(HOOK_ERRORS.heldBack)) return new SendError(true, 'late', text);
  if (text.includes(HOOK_ERRORS.disconnected) || /before startComms/.test(text))
    return new SendError(true, 'disconnected', text);
  // Not "encrypt": that is also part of the job's own name.
  if (/encryption fail/i.test(text)) return new SendError(true, 'encryption', text);
  return new SendError(!through, 'page', text);
}
