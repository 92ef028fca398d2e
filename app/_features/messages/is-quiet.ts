import type { MessageStatus } from '#server/core/message-state.ts';

const QUIET = ['queued', 'sending', 'sent', 'delivered', 'read'] satisfies MessageStatus[];

/** A state that needs no explanation. */
export type QuietStatus = (typeof QUIET)[number];

export const isQuiet = (status: MessageStatus): status is QuietStatus =>
  QUIET.includes(status as QuietStatus);
