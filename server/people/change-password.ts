import { randomBytes } from 'node:crypto';
import { audit } from '#server/accounts/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Database, Tx } from '#server/platform/db/client.ts';
import type { ActorContext, VisitorContext } from '#server/platform/db/context.ts';
import { digest } from '#server/platform/digest.ts';
import { settings } from '#server/settings.ts';
import { fromAddress, takeTry } from './attempts.ts';
import { knownPlace, rememberPlace } from './known-places.ts';
import { turnsOf } from './password-turns.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { forgetAttempts } from './queries/attempts.ts';
import { deleteInvitationsBy } from './queries/invitations.ts';
import { deleteKnownPlaces } from './queries/known-places.ts';
import {
  deleteResetLinks,
  findResetLink,
  putResetLink,
  setPasswordHash,
  takeResetLink,
} from './queries/passwords.ts';
import { removeSecondFactorRow } from './queries/second-factors.ts';
import { confirmSignIn, endSignIns } from './queries/sign-ins.ts';
import { findUser, findUserByEmail, lockUser, markEmailConfirmed } from './queries/users.ts';
import { ownKeys, verifyPassword } from './verify-password.ts';
import { WORDS } from './words.ts';

const LINK_MS = 30 * 60_000;
const TOKEN_BYTES = 16;
/** Tokens cannot be guessed; this keeps guesses cheap for the server. */
const TRIES = { capacity: 20, perSecond: 1 / 30 } as const;

/**
 * Changes the password of a user who types the current one. All other sign-ins end; this one continues with a
 * cookie that names the renewals returned here; null if it has ended. Throws `invalid_parameters` for a wrong or
 * weak password, `second_factor` and `rate_limited`.
 */
export async function changePassword(
  { database, userId, address }: VisitorContext & { userId: string },
  input: { signInId: string; current: string; password: string; code?: string | undefined },
): Promise<number | null> {
  const { signInId, current, password, code } = input;
  const user = await findUser(database.db, { userId });
  if (!user) throw new AppError('unauthorized', OUTCOMES.unauthorized.says.signedOut);
  requireGoodPassword(password, user.email);
  const typed = { email: user.email, password: current, code, address, signInId };
  const verified = await verifyPassword({ database }, typed);
  if (!verified) throw wrongPassword();
  const passwordHash = await hashPassword(password, turnsOf(user.email, address, true));
  return database.db.transaction(async (tx) => {
    // Somebody else who knows the password may have changed it since.
    if ((await lockUser(tx, { userId }))?.sessionVersion !== verified.version) throw wrongPassword();
    await writePassword(tx, {
      userId,
      email: user.email,
      passwordHash,
      exceptId: signInId,
      actor: { kind: 'user', userId, address },
      action: 'user.change_password',
    });
    return confirmSignIn(tx, { userId, signInId });
  });
}

function wrongPassword(): AppError {
  return new AppError('invalid_parameters', 'The current password is wrong. Check it and try again.', {
    field: 'current',
  });
}

/**
 * Makes a link with which a user sets a new password, once and within 30 minutes. It voids earlier links, and only
 * its hash is stored. A `mailed` link proves that the address is the user's. Throws `not_found` for an unknown
 * address.
 */
export async function makeResetLink(
  { database, actor }: ActorContext,
  { email, mailed = false }: { email: string; mailed?: boolean },
): Promise<{ link: string; expiresInSeconds: number }> {
  const user = await findUserByEmail(database.db, { email: email.trim() });
  if (!user) throw new AppError('not_found', WORDS.noUser(email));
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await database.db.transaction(async (tx) => {
    await lockUser(tx, { userId: user.id });
    await putResetLink(tx, { userId: user.id, tokenHash: digest(token), mailed, holdsForMs: LINK_MS });
    await audit(tx, { actor, accountId: null, action: 'user.reset_link', target: user.id });
  });
  // In the fragment, so that no server's log and no Referer contains it.
  return { link: `${settings.publicUrl}/reset#${token}`, expiresInSeconds: LINK_MS / 1000 };
}

/** Whether a link can still set a password. Throws `not_found` for one that cannot, and `rate_limited`. */
export async function openResetLink(
  { database, address }: VisitorContext,
  { token }: { token: string },
): Promise<void> {
  await takeTry({ database }, { key: fromAddress('reset', address), ...TRIES }, 'open a link');
  if (!(await findResetLink(database.db, { tokenHash: digest(token) }))) throw opensNothing();
}

function opensNothing(): AppError {
  return new AppError(
    'not_found',
    'This link was already used or has expired. To get a new one, choose “Forgot your password?” on the sign-in page.',
  );
}

/**
 * Sets a new password by a link and ends every sign-in. A second factor stays, unless a mailed link proves the
 * address for the first time. Throws `not_found` for a link that does not work, whatever the reason;
 * `invalid_parameters` for a weak password, after which the link still works; `rate_limited`.
 */
export async function resetPassword(
  { database, address }: VisitorContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  await takeTry({ database }, { key: fromAddress('reset', address), ...TRIES }, 'set a password');
  const tokenHash = digest(token);
  const found = await findResetLink(database.db, { tokenHash });
  requireGoodPassword(password, found?.email ?? '');
  // Hashed in either case, so that the time reveals nothing.
  const passwordHash = await hashPassword(password, turnsOf(found?.email ?? '', address));
  await database.db.transaction(async (tx) => {
    if (!found) throw opensNothing();
    const { userId } = found;
    await lockUser(tx, { userId });
    const taken = await takeResetLink(tx, { tokenHash });
    if (!taken) throw opensNothing();
    const { mailed } = taken;
    // A person who never proved the address may have set up a second factor. It must not lock out the owner.
    if (mailed && (await markEmailConfirmed(tx, { userId }))) await removeSecondFactorRow(tx, { userId });
    await writePassword(tx, {
      userId,
      email: found.email,
      passwordHash,
      exceptId: null,
      actor: { kind: 'user', userId, address },
      action: 'user.reset_password',
    });
  });
  if (found) await forgetOwnAttempts(database, { email: found.email, address });
}

/** Deletes the user's wrong attempts, so that the new password works at once. */
async function forgetOwnAttempts(
  database: Database,
  params: { email: string; address: string | null },
): Promise<void> {
  const email = params.email.toLowerCase();
  const place = await knownPlace({ database }, { email, place: { address: params.address } });
  await forgetAttempts(database, { keys: ownKeys(email, place) });
}

/**
 * Sets the password and voids what a person who knew the old one may have made: sign-ins, links and invitations.
 */
async function writePassword(
  tx: Tx,
  params: {
    userId: string;
    email: string;
    passwordHash: string;
    exceptId: string | null;
    actor: Extract<Actor, { kind: 'user' }>;
    action: string;
  },
): Promise<void> {
  const { userId, email, passwordHash, exceptId, actor, action } = params;
  await setPasswordHash(tx, { userId, passwordHash });
  await endSignIns(tx, { userId, exceptId });
  await deleteResetLinks(tx, { userId });
  await deleteKnownPlaces(tx, { userId });
  await rememberPlace(tx, { userId, email, place: { address: actor.address } });
  const uninvited = await deleteInvitationsBy(tx, { userId, accountId: null });
  await audit(tx, { actor, accountId: null, action, target: userId, detail: { uninvited } });
}
