import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { findInvitation, takeInvitation } from './queries/invitations.ts';
import { insertMember } from './queries/members.ts';
import { lockUser } from './queries/users.ts';

/**
 * Uses an invitation for a user. Throws `not_found`, `already_exists` for a member, and `unauthorized` for a user who was
 * deleted or disabled after their session was checked.
 */
export async function joinBy(
  tx: Tx,
  params: { tokenHash: string; userId: string; address: string | null },
): Promise<{ accountId: string }> {
  const { tokenHash, userId, address } = params;
  const found = await findInvitation(tx, { tokenHash });
  // Both are locked, so that nobody joins an account that is being deleted, and no user who is.
  if (!found || !(await lockAccount(tx, found))) throw opensNothing();
  if (!(await lockUser(tx, { userId })))
    throw new AppError('unauthorized', OUTCOMES.unauthorized.says.signedOut);
  const taken = await takeInvitation(tx, { tokenHash });
  if (!taken) throw opensNothing();
  const { accountId, role, invitationId } = taken;
  if (!(await insertMember(tx, { accountId, userId, role })))
    throw new AppError(
      'already_exists',
      'You are already a member of this account. The link still works for somebody else.',
    );
  await audit(tx, {
    actor: { kind: 'user', userId, address },
    accountId,
    action: 'person.join',
    target: userId,
    detail: { role, invitation: invitationId },
  });
  return { accountId };
}

/** The answer to an invitation that does not work, whatever the reason. */
export function opensNothing(): AppError {
  return new AppError(
    'not_found',
    'This invitation was already used or withdrawn, or has expired. Ask an owner of the account for a new one.',
  );
}
