import type { MessageStatus } from '#server/core/message-state.ts';

/** The texts of a state: its name, what it means and what to do. */
interface StateText {
  name: string;
  means: string;
  todo: string;
}

export const MESSAGE_TEXTS: Record<MessageStatus, StateText> = {
  queued: { name: 'Queued', means: 'It is waiting for its turn.', todo: 'Nothing to do.' },
  sending: {
    name: 'Sending',
    means: 'It is on its way. WhatsApp has not confirmed it yet.',
    todo: 'Nothing to do.',
  },
  sent: { name: 'Sent', means: 'WhatsApp has confirmed it.', todo: 'Nothing to do.' },
  delivered: { name: 'Delivered', means: 'It is on the recipient’s phone.', todo: 'Nothing to do.' },
  read: { name: 'Read', means: 'The recipient has opened it.', todo: 'Nothing to do.' },
  failed: {
    name: 'Failed',
    means: 'It was definitely not sent.',
    todo: 'Fix the cause, then send it again.',
  },
  unknown: {
    name: 'Unknown',
    means: 'WhatsApp did not confirm it. It may have arrived. It is never sent again automatically.',
    todo: 'If WhatsApp confirms it later, its page shows it. Until then, check the chat on your phone before you send it again.',
  },
  expired: {
    name: 'Expired',
    means: 'Its deadline passed before its turn, so it was not sent.',
    todo: 'Send it again if it still matters.',
  },
  cancelled: {
    name: 'Cancelled',
    means: 'It was cancelled before its turn, so it was not sent.',
    todo: 'Send it again if it still matters.',
  },
};

export const NEEDS_DECISION = 'Needs decision';

export interface ShownState {
  status: MessageStatus;
  /** It waits for its owner's decision. */
  setAside?: boolean;
  /** When it is scheduled for. */
  sendAt?: string | null;
}

/** Whether a message waits for the time that it is scheduled for. */
export const isScheduled = ({ status, setAside = false, sendAt = null }: ShownState): boolean =>
  status === 'queued' && !setAside && sendAt !== null && Date.parse(sendAt) > Date.now();

/** The name of a message's state. */
export function messageName(state: ShownState): string {
  if (state.setAside && state.status === 'queued') return NEEDS_DECISION;
  return isScheduled(state) ? 'Scheduled' : MESSAGE_TEXTS[state.status].name;
}
