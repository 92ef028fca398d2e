/**
 * The states of a message that are announced. `queued` and `sending` are not: their sender has the answer to the
 * request.
 */
export const ANNOUNCED_STATUSES = [
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'expired',
  'cancelled',
] as const;

export const MESSAGE_STATUSES = ['queued', 'sending', ...ANNOUNCED_STATUSES] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * Every transition that may happen. Nothing returns to `queued`, so nothing is sent twice; the database
 * refuses all others as well. After a change, run `npm run db:transitions`.
 */
export const TRANSITIONS: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  queued: ['sending', 'expired', 'cancelled', 'failed'],
  sending: ['sent', 'delivered', 'read', 'failed', 'unknown'],
  unknown: ['sent', 'delivered', 'read', 'failed'],
  sent: ['delivered', 'read'],
  delivered: ['read'],
  read: [],
  failed: [],
  expired: [],
  cancelled: [],
};

export function canBecome(from: MessageStatus, to: MessageStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** The states that can become `to`: every write that sets it names them in its `where`. */
export function sourcesOf(to: MessageStatus): MessageStatus[] {
  return MESSAGE_STATUSES.filter((from) => canBecome(from, to));
}

/**
 * WhatsApp's acknowledgement as a status: −1 refused, 1 accepted by its server, 2 on the device, 3 read, 4 played.
 * Null for 0: the page has the message, and the server has not answered.
 */
export function statusOfAck(ack: number): 'failed' | 'sent' | 'delivered' | 'read' | null {
  if (ack <= -1) return 'failed';
  if (ack === 0) return null;
  if (ack === 1) return 'sent';
  return ack === 2 ? 'delivered' : 'read';
}

/** WhatsApp's server has accepted the message. */
export function isAccepted(status: MessageStatus): boolean {
  return status === 'sent' || status === 'delivered' || status === 'read';
}

/** No longer waiting or being sent. */
export function isSettled(status: MessageStatus): boolean {
  return status !== 'queued' && status !== 'sending';
}

/** Definitely not sent: a retry cannot deliver it twice. */
export function isCertainlyNotSent(status: MessageStatus): boolean {
  return status === 'failed' || status === 'expired' || status === 'cancelled';
}
