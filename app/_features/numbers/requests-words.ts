import { plural } from '#app/_components/ui/plural.ts';
import type { Outputs } from '#app/_trpc/client.ts';

type Unsent = NonNullable<Outputs['numbers']['requestsLately']['unsent']>;

/** What a program may not know about its requests to a number. */
export const requestsNote = {
  refused: ({ count, more, to, others }: Pick<Unsent, 'count' | 'more' | 'to' | 'others'>) => {
    const requests = `${count.toLocaleString('en')}${more ? ' or more requests' : count === 1 ? ' request' : ' requests'}`;
    const people = to.length === 0 ? '' : `, to ${to.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
    return `${requests} to send ${count === 1 && !more ? 'was' : 'were'} refused in the last 24 hours${people}. Nothing was sent, and Wirebird does not keep the text.`;
  },
  hungUp: ({ requests, messages, sent }: { requests: number; messages: number; sent: number }) =>
    `In the last hour your program disconnected from ${plural(requests, 'request', 'requests')} before the response. ${madeOf(messages, sent)} Set its timeout to at least 60 seconds, and give each message an Idempotency-Key.`,
  show: 'Show requests',
} as const;

/** What became of the messages of these requests. */
function madeOf(messages: number, sent: number): string {
  if (messages === 0) return 'They made no message.';
  const made = `They made ${plural(messages, 'message', 'messages')}`;
  if (sent === messages)
    return messages === 1 ? `${made}, which was sent once.` : `${made}, and each was sent once.`;
  return messages === 1
    ? `${made}, which is not confirmed as sent yet. Disconnecting does not cancel it.`
    : `${made}, of which ${sent} ${sent === 1 ? 'is' : 'are'} confirmed as sent. Disconnecting does not cancel the others.`;
}
