const CANCELLED = 'cancelled by the change';

/** Whether {@link replacedSentence} counts cancelled messages. */
export const namesCancelled = (sentence: string | null): boolean => sentence?.includes(CANCELLED) ?? false;

/** What the change of a number's phone number did, once the new one is linked. */
export function replacedSentence(phone: string, cancelled: number): string {
  const now = `Its phone number is now ${phone}.`;
  if (cancelled === 0) return `${now} No messages were waiting when it was changed.`;
  return cancelled === 1
    ? `${now} 1 message that waited or was scheduled was ${CANCELLED} and is not sent later. Open Messages, filter by Cancelled, and send it again if it is still needed.`
    : `${now} ${cancelled} messages that waited or were scheduled were ${CANCELLED} and are not sent later. Open Messages, filter by Cancelled, and send again what is still needed.`;
}
