import type { MessageStatus } from '#server/core/message-state.ts';

/** How far a message of ours came: 0 not yet, 1 the server has it, 2 on the phone, 3 read; or how it ended instead. */
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

/** WhatsApp's own number for it; below 0 it was refused. */
export function ackOf(value: number | undefined): Ack {
  if (value === undefined) return 0;
  if (value < 0) return 'failed';
  return Math.min(value, 3) as 0 | 1 | 2 | 3;
}
