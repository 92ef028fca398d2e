import { plural } from '#app/_components/ui/plural.ts';

/** What a program may not know about its requests to a number. */
export const requestsNote = {
  refused: ({
    count,
    more,
    to,
    others,
  }: {
    count: number;
    more: boolean;
    to: readonly string[];
    others: number;
  }) => {
    const requests = `${count.toLocaleString('en')}${more ? ' or more requests' : count === 1 ? ' request' : ' requests'}`;
    const people = to.length === 0 ? '' : `, to ${to.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
    return `${requests} to send ${count === 1 && !more ? 'was' : 'were'} refused in the last 24 hours${people}. Nothing was sent, and Wirebird does not keep the text.`;
  },
  hungUp: (count: number) =>
    `In the last hour your program disconnected from ${plural(count, 'request', 'requests')} before the response. That does not cancel a message. Set its timeout to at least 60 seconds.`,
  show: 'Show requests',
} as const;
