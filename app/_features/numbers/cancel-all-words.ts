import { plural } from '#app/_components/ui/plural.ts';

export const cancelAll = {
  dialog: ({ name, waiting }: { name: string; waiting: number }) => ({
    title: `Cancel ${plural(waiting, 'waiting message', 'waiting messages')}?`,
    text: `All messages in the queue of ${name} are cancelled.`,
    ends: ['Programs waiting for a response get 409', 'None of these messages will be sent'],
    stays: ['A message that is being sent now is not cancelled'],
    keep: 'Keep them',
  }),
  submit: 'Cancel all',
  done: (count: number) => `${plural(count, 'message', 'messages')} cancelled`,
} as const;
