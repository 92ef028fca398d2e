import type { MessageStatus } from '#server/core/message-state.ts';
import type { QuietStatus } from './is-quiet.ts';

export type UnsentStatus = Exclude<MessageStatus, QuietStatus>;

/** What it means that a message was not sent, or may not have been, and what to do. */
export const UNSENT_TEXTS: Record<UnsentStatus, string> = {
  failed: 'It was definitely not sent. Fix the cause, then send it again.',
  unknown:
    'WhatsApp did not confirm it. It may have arrived. It is never sent again automatically. ' +
    'If WhatsApp confirms it later, its page shows it. Until then, check the chat on your phone before you send it again.',
  expired: 'Its deadline passed before its turn, so it was not sent. Send it again if it still matters.',
  cancelled: 'It was cancelled before its turn, so it was not sent. Send it again if it still matters.',
};
