import type { MessageStatus } from '#server/core/message-state.ts';

/** A state in words: its name, what it means and what to do. */
interface StateText {
  name: string;
  means: string;
  todo: string;
}

export const MESSAGE_TEXTS: Record<MessageStatus, StateText> = {
  queued: { name: 'Queued', means: 'It waits for its turn.', todo: 'Nothing.' },
  sending: {
    name: 'Sending',
    means: 'It is on its way; WhatsApp has not confirmed it yet.',
    todo: 'Nothing.',
  },
  sent: { name: 'Sent', means: 'WhatsApp has confirmed it.', todo: 'Nothing left to do.' },
  delivered: { name: 'Delivered', means: 'It is on the recipient’s phone.', todo: 'Nothing left to do.' },
  read: { name: 'Read', means: 'The recipient has opened it.', todo: 'Nothing left to do.' },
  failed: {
    name: 'Failed',
    means: 'It was not sent, for certain.',
    todo: 'Mend the cause, then send it again.',
  },
  unknown: {
    name: 'Unknown',
    means: 'WhatsApp gave no confirmation. It may have arrived, and it is never sent again automatically.',
    todo: 'Look on the phone before you send it again.',
  },
  expired: {
    name: 'Expired',
    means: 'Its turn came too late, so it was not sent.',
    todo: 'Send it again if it still matters.',
  },
  cancelled: { name: 'Cancelled', means: 'It was taken back before its turn.', todo: 'Nothing.' },
};
