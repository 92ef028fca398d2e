import type { MessageStatus } from '#server/core/message-state.ts';

export const MESSAGE_NAMES: Record<MessageStatus, string> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  unknown: 'Unknown',
  expired: 'Expired',
  cancelled: 'Cancelled',
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
  return isScheduled(state) ? 'Scheduled' : MESSAGE_NAMES[state.status];
}
