import type { MessageStatus } from '#server/core/message-state.ts';
import type { NumberStatus } from '#server/core/number-state.ts';

/** A state in words: its name, what it means and what to do. */
interface StateText {
  name: string;
  means: string;
  todo: string;
}

export const NUMBER_TEXTS: Record<NumberStatus, StateText> = {
  UNLINKED: {
    name: 'Not linked',
    means: 'No phone is linked to this number.',
    todo: 'Link it.',
  },
  LINKING: {
    name: 'Waiting for the phone',
    means: 'A code is on the screen.',
    todo: 'Scan it with the phone that has this number.',
  },
  SYNCING: {
    name: 'Syncing',
    means: 'Linked; WhatsApp is loading its chats, which takes under a minute.',
    todo: 'Nothing.',
  },
  CONNECTED: {
    name: 'Connected',
    means: 'Ready. Messages leave as they come.',
    todo: 'Nothing.',
  },
  RECONNECTING: {
    name: 'Reconnecting',
    means: 'The session dropped and is being restored; messages wait.',
    todo: 'Nothing.',
  },
  LOGGED_OUT: {
    name: 'Unlinked on the phone',
    means: 'Someone removed this device on the phone.',
    todo: 'Link again.',
  },
  CONFLICT: {
    name: 'Open elsewhere',
    means: 'The session is open in another place.',
    todo: 'Choose “Use here”; the other one stops.',
  },
  BLOCKED: {
    name: 'Blocked by WhatsApp',
    means: 'WhatsApp refuses this number.',
    todo: 'Wait before you try again; trying sooner makes the wait longer.',
  },
  SUSPENDED: {
    name: 'Suspended',
    means: 'The administrator paused this number.',
    todo: 'Write to the administrator to resume.',
  },
};

/** The name of what a number is in whose session was stopped after the plan's end. */
export const PLAN_STOPPED_NAME = 'Stopped: plan ended';

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
    means: 'WhatsApp gave no confirmation. It may have arrived, and it is never sent again by itself.',
    todo: 'Look on the phone before you send it again.',
  },
  expired: {
    name: 'Expired',
    means: 'Its turn came too late, so it was not sent.',
    todo: 'Send it again if it still matters.',
  },
  cancelled: { name: 'Cancelled', means: 'It was taken back before its turn.', todo: 'Nothing.' },
};
