import { plural } from '#app/_components/ui/plural.ts';

export const cancelAll = {
  title: (count: number) => `Cancel ${plural(count, 'waiting message', 'waiting messages')}?`,
  text: (name: string) => `All messages in the queue of ${name} are cancelled.`,
  callers: 'Programs waiting for a response get 409',
  never: 'None of these messages will be sent',
  underWay: 'A message that is being sent now is not cancelled',
  keep: 'Keep them',
  submit: 'Cancel all',
  done: (count: number) => `${plural(count, 'message', 'messages')} cancelled`,
} as const;
