import { isAccepted, isCertainlyNotSent, type MessageStatus } from '#server/core/message-state.ts';
import { CLIENT_TIMEOUT, ERROR_GUIDE } from '#server/rest/error-guide.ts';
import { requests } from './words.ts';

const texts = requests.detail;

/** What a page knows about a request whose client disconnected before the response. */
interface Disconnected {
  durationMs: number;
  messageId: string | null;
  /** Null without a message, or once it was deleted. */
  messageStatus: MessageStatus | null;
}

/** What happened to the request, and to its message. */
export function whatHappened({ durationMs, messageId }: Disconnected): string {
  const seconds = String(Number((durationMs / 1000).toFixed(1)));
  return `${texts.hungUp(seconds)} ${messageId === null ? texts.notAccepted : texts.notCancelled}`;
}

/** What to do, by what is known about its message. */
export function whatToDo({ messageId, messageStatus }: Disconnected): string {
  if (messageId === null) return CLIENT_TIMEOUT;
  if (messageStatus !== null && isAccepted(messageStatus)) return `${texts.sentSince} ${CLIENT_TIMEOUT}`;
  if (messageStatus !== null && isCertainlyNotSent(messageStatus))
    return `${texts.notSent} ${CLIENT_TIMEOUT}`;
  return ERROR_GUIDE.find(({ codes }) => codes.includes('hung_up'))?.next ?? CLIENT_TIMEOUT;
}

/** The section of a guide that explains timeouts. */
export const TIMEOUTS = '/docs/guides/idempotency#the-timeout-of-your-client';
