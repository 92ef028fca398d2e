import { shortTime } from '#app/_components/ui/time.tsx';
import { isAccepted, isCertainlyNotSent, type MessageStatus } from '#server/core/message-state.ts';
import { CLIENT_TIMEOUT, ERROR_GUIDE, OR_ASYNC } from '#server/rest/error-guide.ts';
import { requests } from './words.ts';

const texts = requests.detail;

/** What a page knows about a request whose client disconnected before the response. */
interface Disconnected {
  durationMs: number;
  /** Its message was waiting for its turn then. */
  leftWaiting: boolean;
  messageId: string | null;
  /** Null without a message, or once it was deleted. */
  messageStatus: MessageStatus | null;
  messageAcceptedAt: string | null;
  messageKeyed: boolean;
  messageAnswered: boolean;
}

/** How long a repeat gets the outcome of the first message, and sends nothing: without and with an Idempotency-Key. */
const JOINS_MS = 10 * 60_000;
const JOINS_WITH_KEY_MS = 24 * 3_600_000;

/** What happened to the request, and to its message. */
export function whatHappened({ durationMs, messageId, leftWaiting }: Disconnected): string {
  const seconds = String(Number((durationMs / 1000).toFixed(1)));
  const message = leftWaiting ? texts.leftWaiting : texts.notCancelled;
  return `${texts.hungUp(seconds)} ${messageId === null ? texts.notAccepted : message}`;
}

/** What to do, by what is known about its message at `now`. */
export function whatToDo(request: Disconnected, now: Date): string {
  const { messageId, messageStatus } = request;
  if (messageId === null) return CLIENT_TIMEOUT;
  const next = () => {
    if (messageStatus === null) return null;
    if (isAccepted(messageStatus)) return texts.sentSince(request.messageKeyed, request.messageAnswered);
    return isCertainlyNotSent(messageStatus) ? texts.notSent : aboutRepeats(request, now);
  };
  const first = next();
  if (first !== null) return `${first} ${CLIENT_TIMEOUT} ${OR_ASYNC}`;
  return ERROR_GUIDE.find(({ codes }) => codes.includes('hung_up'))?.next ?? CLIENT_TIMEOUT;
}

/** Whether a repeat may send the message a second time; null if it has an Idempotency-Key that prevents it. */
function aboutRepeats(request: Disconnected, now: Date): string | null {
  const { messageAcceptedAt, messageKeyed, messageAnswered } = request;
  const joinsMs = messageKeyed ? JOINS_WITH_KEY_MS : messageAnswered ? 0 : JOINS_MS;
  const until = new Date(Date.parse(messageAcceptedAt ?? '') + joinsMs);
  if (!(until > now)) return texts.repeatSends;
  return messageKeyed ? null : texts.repeatUntil(shortTime(until, now));
}

/** The section of a guide that explains timeouts. */
export const TIMEOUTS = '/docs/guides/idempotency#the-timeout-of-your-client';
