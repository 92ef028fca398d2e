import type { Outgoing, OutgoingMedia } from '#server/core/engine.ts';
import type { MessageContent } from '#server/core/message.ts';
import type { Recipient } from '#server/core/recipient.ts';

let made = 0;

/** A message with a new id. */
export function outgoing(to: string, content: MessageContent, media: OutgoingMedia | null = null): Outgoing {
  made += 1;
  const waMessageId = `3EB0${String(made).padStart(18, 'F')}`;
  return { waMessageId, recipient: to as Recipient, address: to as Recipient, content, media };
}

export const text = (to: string, body: string): Outgoing => outgoing(to, { type: 'text', body });
