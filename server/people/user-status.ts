import { audit } from '#server/accounts/audit.ts';
import { AppError } from '#server/core/errors.ts';
import type { Db } from '#server/platform/db/client.ts';
import type { ActorContext } from '#server/platform/db/context.ts';
import { deleteInvitationsBy } from './queries/invitations.ts';
import { deleteKnownPlaces } from './queries/known-places.ts';
import { deleteResetLinks, setDisabled } from './queries/passwords.ts';
import { endSignIns } from './queries/sign-ins.ts';
import { findAnyUserByEmail, markEmailConfirmed, setEmail, type UserRow } from './queries/users.ts';
import { WORDS } from './words.ts';

/**
 * Disables a user, whose sign-ins, reset link and invitations end at once, or enables them again. Their account,
 * numbers and keys keep working. Repeating it changes nothing. Throws `not_found`.
 */
export async function setUserDisabled(
  { database, actor }: ActorContext,
  { email, disabled }: { email: string; disabled: boolean },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const { id: userId } = await userWith(tx, email);
    if (await setDisabled(tx, { userId, disabled })) {
      await endSignIns(tx, { userId, exceptId: null });
      await deleteResetLinks(tx, { userId });
      await deleteKnownPlaces(tx, { userId });
      await deleteInvitationsBy(tx, { userId, accountId: null });
      const action = disabled ? 'user.disable' : 'user.enable';
      await audit(tx, { actor, accountId: null, action, target: userId });
    }
  });
}

/** The operator vouches that an address is its user's. Repeating it changes nothing. Throws `not_found`. */
export async function confirmEmail(
  { database, actor }: ActorContext,
  { email }: { email: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const { id: userId } = await userWith(tx, email);
    if (await markEmailConfirmed(tx, { userId }))
      await audit(tx, { actor, accountId: null, action: 'user.confirm_email', target: userId });
  });
}

/**
 * Frees an address that a user signed up with and does not own: the user is disabled and signed out at once, and
 * the owner can sign up. Accounts, numbers and keys stay. Throws `not_found`, `forbidden` for an administrator.
 */
export async function releaseEmail(context: ActorContext, { email }: { email: string }): Promise<void> {
  const { database, actor } = context;
  const { id: userId, admin } = await userWith(database.db, email);
  if (admin) throw new AppError('forbidden', 'This is the address of an administrator.');
  await setUserDisabled(context, { email, disabled: true });
  await database.db.transaction(async (tx) => {
    // No mail goes to this name, and nobody signs in with it.
    await setEmail(tx, { userId, email: `${userId}@released.invalid` });
    await audit(tx, { actor, accountId: null, action: 'user.release_email', target: userId });
  });
}

async function userWith(db: Db, email: string): Promise<UserRow> {
  const user = await findAnyUserByEmail(db, { email: email.trim() });
  if (!user) throw new AppError('not_found', WORDS.noUser(email));
  return user;
}
