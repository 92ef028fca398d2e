import { SendError, type SendFailure } from '#server/core/send-failures.ts';
import { DeadlineError } from './deadline.ts';
import { WORDS } from './page-sending.ts';

/** What the words of the page and the library say about why a message was not sent. */

/** Failures that only come about while the page looks for the recipient. */
const RECIPIENT = /No LID for user|Chat not found|invalid wid/i;
/** The page itself went away under the call. */
const PAGE_GONE = /Target closed|Session closed|Connection closed|context was destroyed|detached|crashed/i;

const MEDIA: readonly (readonly [RegExp, SendFailure])[] = [
  [/InvalidImageFileType|ERROR_FILE_NOT_READABLE/, 'media_invalid'],
  [/ERROR_TOO_LARGE/, 'media_too_large'],
  [/ERROR_THROTTLED/, 'media_throttled'],
  [/ERROR_FORBIDDEN/, 'media_forbidden'],
  [/upload failed: CANCEL/, 'media'],
  [/upload failed/, 'media_servers'],
];

/** Before the gate has opened nothing has left, and nothing will. */
export function beforeGate(
  { fenced, withMedia }: { fenced: boolean; withMedia: boolean },
  error: Error,
): SendError {
  const failed = (reason: SendFailure) => new SendError(true, reason, error.message, { cause: error });
  if (fenced) return failed('fenced');
  if (error instanceof DeadlineError) return failed('timeout');
  if (RECIPIENT.test(error.message)) return failed('recipient_unknown');
  // The page looks up on the way whom it does not know.
  if (error.message.includes('rate-overlimit')) return failed('look_ups');
  if (!withMedia || PAGE_GONE.test(error.message)) return failed('page');
  const text = `${error.name}: ${error.message}`;
  return failed(MEDIA.find(([words]) => words.test(text))?.[1] ?? 'media');
}

/** One of the two promises of `addAndSendMsgToChat` rejected. Where no job was let through, that is certain. */
export function afterAdding(text: string, reason: SendFailure): SendError {
  return new SendError(true, /contact is blocked/i.test(text) ? 'contact_blocked' : reason, text);
}

/** What a connection that ends under a job may say: then it may have written. */
const ENDED = /timed? ?out|abort|clos(ed|ing)|disconnect|stopped/i;

/** The job that writes the stanza rejected. It does so when nothing was written. */
export function ofJob(text: string): SendError {
  if (text.includes(WORDS.heldBack)) return new SendError(true, 'late', text);
  if (text.includes(WORDS.noLine) || /before startComms/.test(text))
    return new SendError(true, 'disconnected', text);
  if (/encrypt/i.test(text)) return new SendError(true, 'encryption', text);
  return new SendError(!ENDED.test(text), 'page', text);
}
