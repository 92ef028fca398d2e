import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { AccountContext, AccountScope } from '#server/platform/db/context.ts';
import { deleteInvitationsBy, type InvitationRow, listInvitationRows } from './queries/invitations.ts';
import { deleteMember, listMemberRows, type MemberRow, type Role, setMemberRole } from './queries/members.ts';
import { requireOwner } from './require-owner.ts';

export function listPeople({ database, accountId }: AccountScope): Promise<MemberRow[]> {
  return listMemberRows(database.db, { accountId });
}

export function listInvitations({ database, accountId }: AccountScope): Promise<InvitationRow[]> {
  return listInvitationRows(database.db, { accountId });
}

/**
 * Makes a member an owner, or an owner a plain member, which voids their invitations. Throws `not_found`;
 * `invalid_parameters` for the last owner, `forbidden` for a person who is
 * no longer an owner. Repeating it changes nothing.
 */
export async function changeRole(
  { database, accountId, actor }: AccountContext,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const person = await lockPerson(tx, { accountId, actor, userId });
    if (person.role === role) return;
    if (role === 'member') await requireAnotherOwner(tx, { accountId, userId });
    await setMemberRole(tx, { accountId, userId, role });
    const uninvited = await deleteInvitationsBy(tx, { accountId, userId });
    await audit(tx, { actor, accountId, action: 'person.role', target: userId, detail: { role, uninvited } });
  });
}

/**
 * Removes a member: their open pages of the account and their invitations end; their user and other accounts stay.
 * Throws `not_found`; `invalid_parameters` for the last owner, `forbidden` for a person who is no longer an owner.
 */
export async function removePerson(
  { database, accountId, actor }: AccountContext,
  { userId }: { userId: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const person = await lockPerson(tx, { accountId, actor, userId });
    if (person.role === 'owner') await requireAnotherOwner(tx, { accountId, userId });
    await deleteMember(tx, { accountId, userId });
    const uninvited = await deleteInvitationsBy(tx, { accountId, userId });
    await audit(tx, {
      actor,
      accountId,
      action: 'person.remove',
      target: userId,
      detail: { role: person.role, uninvited },
    });
  });
}

/** Locks the account, so that two owners cannot remove each other at the same moment. */
async function lockPerson(
  tx: Tx,
  params: { accountId: string; actor: Actor; userId: string },
): Promise<MemberRow> {
  if (!(await lockAccount(tx, params))) throw notFound('account');
  await requireOwner(tx, params);
  const person = (await listMemberRows(tx, params)).find(({ userId }) => userId === params.userId);
  if (!person) throw new AppError('not_found', 'This person is not a member of the account.');
  return person;
}

async function requireAnotherOwner(tx: Tx, params: { accountId: string; userId: string }): Promise<void> {
  const others = (await listMemberRows(tx, params)).filter(
    ({ userId, role }) => role === 'owner' && userId !== params.userId,
  );
  if (others.length === 0)
    throw new AppError(
      'invalid_parameters',
      'An account needs at least one owner. Make somebody else an owner first.',
    );
}
