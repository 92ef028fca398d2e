import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { listMemberRows } from './queries/members.ts';

/**
 * Throws `forbidden` for a user who is no longer an owner. Call it under the account's lock, so that it sees a removal at
 * the same moment.
 */
export async function requireOwner(
  tx: Tx,
  { accountId, actor }: { accountId: string; actor: Actor },
): Promise<void> {
  if (actor.kind !== 'user') return;
  const owns = (await listMemberRows(tx, { accountId })).some(
    ({ userId, role }) => userId === actor.userId && role === 'owner',
  );
  if (!owns) throw new AppError('forbidden', OUTCOMES.forbidden.says.ownersOnly);
}
