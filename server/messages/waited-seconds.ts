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
  const { waitedMs } = await getMessage(scope, message);
  return waitedMs === null ? null : Math.round(waitedMs / 1000);
}
