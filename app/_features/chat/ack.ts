import type { MessageStatus } from '#server/core/message-state.ts';

/** The progress of a sent message: 0 waiting, 1 sent, 2 delivered, 3 read; or how it ended. */
export type Ack = 0 | 1 | 2 | 3 | 'failed' | 'unknown';

export const ACK_OF: Record<MessageStatus, Ack> = {
  queued: 0,
  sending: 0,
  sent: 1,
  delivered: 2,
  read: 3,
  failed: 'failed',
  expired: 'failed',
  cancelled: 'failed',
  unknown: 'unknown',
};

/** From WhatsApp's acknowledgement; a negative one is a refusal. */
export function ackOf(value: number | undefined): Ack {
  if (value === undefined) return 0;
  if (value < 0) return 'failed';
  return Math.min(value, 3) as 0 | 1 | 2 | 3;
}
