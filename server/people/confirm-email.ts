import { audit } from '#server/accounts/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import { setUserDisabled } from './disable-user.ts';
import { findAnyUserByEmail, markEmailConfirmed, setEmail, type UserRow } from './queries/users.ts';

interface OfUser {
  email: string;
  actor: Actor;
}

/** The operator vouches that an address is its user's. Repeating it changes nothing. Throws `not_found`. */
export async function confirmEmail(database: Database, params: OfUser): Promise<{ userId: string }> {
  const { actor } = params;
  return database.db.transaction(async (tx) => {
    const { id: userId } = await userWith(tx, params);
    if (await markEmailConfirmed(tx, { userId }))
      await audit(tx, { actor, accountId: null, action: 'user.confirm_email', target: userId, detail: null });
    return { userId };
  });
}

/**
 * Takes an address from a user who signed up with it and does not own it: they are disabled and out at once, and who
 * owns the address can sign up with it. Accounts, numbers and keys stay. Throws `not_found`, `forbidden` for an
 * administrator.
 */
export async function releaseEmail(database: Database, params: OfUser): Promise<{ userId: string }> {
  const { email, actor } = params;
  const { id: userId, admin } = await userWith(database.db, params);
  if (admin) throw new AppError('forbidden', 'This is the address of an administrator.');
  await setUserDisabled(database, { email, disabled: true, actor });
  await database.db.transaction(async (tx) => {
    // No mail goes to this name, and nobody signs in with it.
    await setEmail(tx, { userId, email: `${userId}@released.invalid` });
    await audit(tx, { actor, accountId: null, action: 'user.release_email', target: userId, detail: null });
  });
  return { userId };
}

async function userWith(db: Parameters<typeof findAnyUserByEmail>[0], { email }: OfUser): Promise<UserRow> {
  const user = await findAnyUserByEmail(db, { email: email.trim() });
  if (!user) throw new AppError('not_found', `No user has the e-mail address ${email.trim()}.`);
  return user;
}
