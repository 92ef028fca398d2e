import type { NumberReadScope } from '#server/platform/db/context.ts';
import { getMessage } from './get-message.ts';

/**
 * How many whole seconds a message waited for its turn, from its acceptance, or its scheduled time. Null before
 * its turn. Throws `not_found`.
 */
export async function waitedSeconds(
  scope: NumberReadScope,
  message: { messageId: string },
): Promise<number | null> {
  const { events, createdAt, sendAt } = await getMessage(scope, message);
  const turn = events.find(({ event }) => event === 'slot_claimed');
  if (!turn) return null;
  const sinceMs = Math.max(createdAt.getTime(), sendAt?.getTime() ?? 0);
  return Math.round((turn.at.getTime() - sinceMs) / 1000);
}
