import { audit } from '#server/accounts/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import { forgetPlaces } from './known-places.ts';
import { deleteInvitationsBy } from './queries/invitations.ts';
import { deleteResetLinks, setDisabled } from './queries/passwords.ts';
import { endSignIns } from './queries/sign-ins.ts';
import { findAnyUserByEmail } from './queries/users.ts';

/**
 * Disables a user, whose sign-ins, reset link and invitations end at once, or enables them again. Their account, numbers and keys go on.
 * Repeating it changes nothing. Throws `not_found`.
 */
export async function setUserDisabled(
  database: Database,
  params: { email: string; disabled: boolean; actor: Actor },
): Promise<{ userId: string }> {
  const { email, disabled, actor } = params;
  return database.db.transaction(async (tx) => {
    const user = await findAnyUserByEmail(tx, { email: email.trim() });
    if (!user) throw new AppError('not_found', `No user has the e-mail address ${email.trim()}.`);
    const userId = user.id;
    if (await setDisabled(tx, { userId, disabled })) {
      await endSignIns(tx, { userId, exceptId: null });
      await deleteResetLinks(tx, { userId });
      await forgetPlaces(tx, { userId });
      await deleteInvitationsBy(tx, { userId, accountId: null });
      const action = disabled ? 'user.disable' : 'user.enable';
      await audit(tx, { actor, accountId: null, action, target: userId, detail: null });
    }
    return { userId };
  });
}
