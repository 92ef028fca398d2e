import type { MessageStatus } from '#server/core/message-state.ts';

/** The states that need no more explanation than this. */
export const QUIET_TEXTS = {
  queued: 'It is waiting for its turn.',
  sending: 'It is on its way. WhatsApp has not confirmed it yet.',
  sent: 'WhatsApp has confirmed it.',
  delivered: 'It is on the recipient’s phone.',
  read: 'The recipient has opened it.',
} satisfies Partial<Record<MessageStatus, string>>;

export const NOTHING_TO_DO = 'Nothing to do.';

export type QuietStatus = keyof typeof QUIET_TEXTS;

export const isQuiet = (status: MessageStatus): status is QuietStatus => status in QUIET_TEXTS;
