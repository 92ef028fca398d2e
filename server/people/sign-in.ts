import { audit } from '#server/accounts/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { notFound } from '#server/core/not-found.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type {
  InstallationContext,
  UserContext,
  UserScope,
  VisitorContext,
} from '#server/platform/db/context.ts';
import { rememberPlace } from './known-places.ts';
import {
  confirmSignIn,
  deleteSignIn,
  endSignIns,
  insertSignIn,
  type ListedSignIn,
  listSignInRows,
} from './queries/sign-ins.ts';
import { findUser, lockUser } from './queries/users.ts';
import { verifyPassword } from './verify-password.ts';

const USER_AGENT_CHARS = 200;

export interface Browser {
  address: string | null;
  userAgent: string | null;
  /** The browser's own id. */
  device?: string | null;
}

/**
 * Signs a user in: null when email address and password do not match. Throws `second_factor` and
 * `rate_limited` as `verifyPassword` does.
 */
export async function signIn(
  { database, address }: VisitorContext,
  input: { email: string; password: string; code?: string } & Omit<Browser, 'address'>,
): Promise<{ userId: string; signInId: string } | null> {
  const verified = await verifyPassword({ database }, { ...input, address });
  return verified && openSignIn({ database }, { ...verified, ...input, address });
}

/**
 * Makes the row of a sign-in whose user is known. Null if they were disabled, got another password or signed out
 * everywhere since their `version` was read.
 */
export async function openSignIn(
  { database }: InstallationContext,
  params: { userId: string; version: number } & Browser,
): Promise<{ userId: string; signInId: string } | null> {
  const { userId, version, address, userAgent, device } = params;
  const signInId = newId('signIn');
  return database.db.transaction(async (tx) => {
    const user = await lockUser(tx, { userId });
    if (user?.sessionVersion !== version) return null;
    await insertSignIn(tx, {
      id: signInId,
      userId,
      version,
      address,
      userAgent: userAgent?.slice(0, USER_AGENT_CHARS) ?? null,
    });
    await rememberPlace(tx, { userId, email: user.email, place: { address, device } });
    const actor: Actor = { kind: 'user', userId, address };
    await audit(tx, { actor, accountId: null, action: 'user.sign_in', target: userId });
    return { userId, signInId };
  });
}

/** A user's valid sign-ins; `current` is the caller's. */
export async function listSignIns(
  { database, userId }: UserScope,
  { signInId }: { signInId: string },
): Promise<(ListedSignIn & { current: boolean })[]> {
  const rows = await listSignInRows(database.db, { userId });
  return rows.map((row) => ({ ...row, current: row.id === signInId }));
}

/** Ends one of a user's sign-ins. Throws `not_found`. */
export async function endSignIn(
  { database, userId, actor }: UserContext,
  { signInId }: { signInId: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const ended = await deleteSignIn(tx, { userId, signInId });
    if (!ended) throw notFound('sign-in');
    const { viewedAccountId: accountId } = ended;
    if (accountId !== null)
      await audit(tx, { actor, accountId, action: 'account.view_end', target: accountId });
    await audit(tx, { actor, accountId: null, action: 'user.sign_out', target: userId });
  });
}

export async function endAllSignIns({ database, userId, actor }: UserContext): Promise<void> {
  await database.db.transaction(async (tx) => {
    await endSignIns(tx, { userId, exceptId: null });
    await audit(tx, { actor, accountId: null, action: 'user.sign_out_all', target: userId });
  });
}

/**
 * Records that the password was entered again in a browser, which critical changes require, and voids its cookie.
 * Resolves to the number of renewals for the next cookie. Throws `invalid_parameters` for a wrong password,
 * `second_factor` and `rate_limited`.
 */
export async function confirmPassword(
  { database, userId, address }: VisitorContext & { userId: string },
  input: { signInId: string; password: string; code?: string | undefined },
): Promise<number> {
  const { signInId } = input;
  const user = await findUser(database.db, { userId });
  if (!user) throw signedOut();
  if (!(await verifyPassword({ database }, { ...input, address, email: user.email })))
    throw new AppError('invalid_parameters', 'The password is wrong. Check it and try again.');
  const renewals = await confirmSignIn(database.db, { userId, signInId });
  if (renewals === null) throw signedOut();
  return renewals;
}

function signedOut(): AppError {
  return new AppError('unauthorized', OUTCOMES.unauthorized.says.signedOut);
}
