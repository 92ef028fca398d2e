import { plural } from '#app/_components/ui/plural.ts';

const messages = (count: number) => plural(count, 'message', 'messages');

/** Texts of the bar for selected messages, which loads with the first selection. */
export const selection = {
  label: 'Selected messages',
  count: (count: number, full: boolean) => `${count} selected${full ? ', the maximum' : ''}`,
  nothing: 'Nothing to do: these are being sent, or their content was erased.',
  clear: 'Clear selection',
  cancel: (count: number) => `Cancel ${count}`,
  cancelDialog: (count: number) => ({
    title: `Cancel ${messages(count)}?`,
    text:
      count === 1
        ? 'It is removed from the queue and never sent.'
        : 'They are removed from the queue and never sent.',
    ends: ['Programs waiting for a response get 409'],
    stays: [
      count === 1
        ? 'If it is being sent now, it is not cancelled'
        : 'A message that is being sent now is not cancelled',
    ],
    keep: count === 1 ? 'Keep it' : 'Keep them',
  }),
  cancelled: (count: number) => `${messages(count)} cancelled`,
  late: (count: number) => `${messages(count)} had already left the queue`,
  again: (count: number) => `Send ${count} again`,
  againTitle: (count: number) => `Send ${messages(count)} again?`,
  againText:
    'Each becomes a new message without an Idempotency-Key. It is sent as soon as its turn comes, even if the original was scheduled. The originals do not change.',
  twice: (count: number) => `${messages(count)} will arrive a second time: WhatsApp has confirmed the first.`,
  maybe: (count: number) => `${messages(count)} may arrive twice: WhatsApp never confirmed the first.`,
  once: (count: number) => `${messages(count)} will arrive once: the first was definitely not sent.`,
  doNot: 'Do not send',
  added: (count: number) => `${messages(count)} added to the queue`,
  already: (count: number) => `${messages(count)} had already been sent again`,
} as const;
