import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import type { Database, Db, Tx } from '#server/platform/db/client.ts';
import { deleteInvitationsBy, type InvitationRow, listInvitationRows } from './queries/invitations.ts';
import { deleteMember, listMemberRows, type MemberRow, type Role, setMemberRole } from './queries/members.ts';

/** Who belongs to an account. */
export function listPeople(db: Db, params: { accountId: string }): Promise<MemberRow[]> {
  return listMemberRows(db, params);
}

/** The links by which others may still join it. */
export function listInvitations(db: Db, params: { accountId: string }): Promise<InvitationRow[]> {
  return listInvitationRows(db, params);
}

interface OfPerson {
  accountId: string;
  userId: string;
  actor: Actor;
}

/**
 * Makes one of an account's people an owner or a member; invitations of who is no longer an owner are void. Throws `not_found`; `invalid_parameters` where it
 * would leave the account without an owner. Repeating it changes nothing.
 */
export async function changeRole(database: Database, params: OfPerson & { role: Role }): Promise<void> {
  const { accountId, userId, role, actor } = params;
  await database.db.transaction(async (tx) => {
    const person = await lockPerson(tx, { accountId, userId });
    if (person.role === role) return;
    if (role === 'member') await requireAnotherOwner(tx, { accountId, userId });
    await setMemberRole(tx, { accountId, userId, role });
    const uninvited = await deleteInvitationsBy(tx, { accountId, userId });
    await audit(tx, { actor, accountId, action: 'person.role', target: userId, detail: { role, uninvited } });
  });
}

/**
 * Takes somebody out of an account; what they have open of it ends, and so do their invitations. Their user, and their other accounts, stay.
 * Throws `not_found`; `invalid_parameters` for the last owner.
 */
export async function removePerson(database: Database, params: OfPerson): Promise<void> {
  const { accountId, userId, actor } = params;
  await database.db.transaction(async (tx) => {
    const person = await lockPerson(tx, { accountId, userId });
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

/** Locks the account first, so that two owners cannot remove each other at the same moment. */
async function lockPerson(tx: Tx, params: { accountId: string; userId: string }): Promise<MemberRow> {
  if (!(await lockAccount(tx, params))) throw notFound('account');
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
