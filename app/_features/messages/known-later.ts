import { isAccepted, type MessageStatus } from '#server/core/message-state.ts';

interface Entry {
  event: string;
  at: string;
}

/**
 * Whether an entry is the outcome of a message that was unknown before: its time is when it became known, and it may
 * have happened earlier.
 */
export function isKnownLater<E extends Entry>(timeline: readonly E[], entry: E): boolean {
  if (!isAccepted(entry.event as MessageStatus)) return false;
  const states = timeline.filter(({ event }) => event === 'unknown' || isAccepted(event as MessageStatus));
  return states[states.indexOf(entry) - 1]?.event === 'unknown';
}

/** When a message was sent, as well as it is known: a message whose outcome became known later left at its turn. */
export function sentTime(message: {
  createdAt: string;
  sentAt: string | null;
  timeline: readonly Entry[];
}): string {
  const { createdAt, sentAt, timeline } = message;
  if (sentAt === null) return createdAt;
  const first = timeline.find(({ event }) => isAccepted(event as MessageStatus));
  const turn = timeline.find(({ event }) => event === 'slot_claimed');
  return first && turn && isKnownLater(timeline, first) ? turn.at : sentAt;
}
