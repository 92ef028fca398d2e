import { notFound } from '#server/core/not-found.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { markDismissed } from './queries/message-list.ts';

/**
 * Takes a message out of the overview's "Needs attention", for all members. Its outcome and history stay.
 * Repeating it changes nothing. Throws `not_found`.
 */
export async function dismissMessage(
  { database, accountId }: AccountScope,
  { messageId }: { messageId: string },
): Promise<void> {
  if (!(await markDismissed(database.db, { accountId, messageId }))) throw notFound('message');
}
