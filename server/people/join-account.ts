import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { AppError } from '#server/core/errors.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { findInvitation, takeInvitation } from './queries/invitations.ts';
import { insertMember } from './queries/members.ts';

/** Uses an invitation for a user. Throws `not_found`, and `already_exists` for a member. */
export async function joinBy(
  tx: Tx,
  params: { tokenHash: string; userId: string; address: string | null },
): Promise<{ accountId: string }> {
  const { tokenHash, userId, address } = params;
  const found = await findInvitation(tx, { tokenHash });
  // Locked, so that nobody joins an account that is being deleted.
  const taken = found && (await lockAccount(tx, found)) && (await takeInvitation(tx, { tokenHash }));
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
