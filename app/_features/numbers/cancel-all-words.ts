import { plural } from '#app/_components/ui/plural.ts';

export const cancelAll = {
  dialog: ({ name, waiting, scheduled }: { name: string; waiting: number; scheduled: number }) => ({
    title:
      scheduled === waiting
        ? `Cancel ${plural(waiting, 'scheduled message', 'scheduled messages')}?`
        : `Cancel ${plural(waiting, 'waiting message', 'waiting messages')}?`,
    text:
      scheduled > 0 && scheduled < waiting
        ? `All messages in the queue of ${name} are cancelled, ${scheduled} scheduled ${scheduled === 1 ? 'one' : 'ones'} included.`
        : `All messages in the queue of ${name} are cancelled.`,
    ends: [
      ...(scheduled === waiting ? [] : ['Programs waiting for a response get 409']),
      'None of these messages will be sent',
    ],
    stays: ['A message that is being sent now is not cancelled'],
    keep: 'Keep them',
  }),
  submit: 'Cancel all',
  done: (count: number) => `${plural(count, 'message', 'messages')} cancelled`,
} as const;
