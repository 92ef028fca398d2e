import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { audit } from '#server/accounts/audit.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Db } from '#server/platform/db/client.ts';
import type { UserContext, UserScope } from '#server/platform/db/context.ts';
import { digest } from '#server/platform/digest.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import { settings } from '#server/settings.ts';
import {
  findSecondFactor,
  proposeSecret,
  putRecoveryCodes,
  removeSecondFactorRow,
  startSecondFactor,
  takeRecoveryCode,
  takeStep,
} from './queries/second-factors.ts';
import { findUser, lockUser } from './queries/users.ts';
import { WORDS } from './words.ts';

/** What every authenticator app understands: SHA-1, six digits, 30 s (RFC 6238). */
const FORM = { issuer: 'Wirebird', algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** A phone's clock may be one step off. */
const WINDOW_STEPS = 1;

const RECOVERY_CODES = 10;
/** Without characters that look alike. */
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const RECOVERY_CHARS = 26;

const WRONG_CODE = 'This code is wrong. Enter the code that the app shows now.';

/** Whether administrators must have a second factor: the product faces the internet. */
export const isSecondFactorRequired = (user: { admin: boolean }): boolean =>
  user.admin && settings.production;

export async function secondFactorOf({ database, userId }: UserScope, user: { admin: boolean }) {
  const found = await findSecondFactor(database.db, { userId });
  return {
    on: found?.since != null,
    since: found?.since ?? null,
    recoveryCodesLeft: found?.recoveryCodesLeft ?? 0,
    /** Administrators must have a second factor here. */
    required: isSecondFactorRequired(user),
  };
}

/**
 * Proposes a secret for the user's authenticator app, which has no effect until it is confirmed. `uri` is the QR
 * code's text. Throws `already_exists` if a second factor is in force.
 */
export async function beginSecondFactor({
  database,
  userId,
}: Omit<UserContext, 'actor'>): Promise<{ secret: string; uri: string }> {
  const user = await findUser(database.db, { userId });
  if (!user) throw new AppError('unauthorized', OUTCOMES.unauthorized.says.signedOut);
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = seal(secret.base32, { use: 'totp', owner: userId });
  if (!(await proposeSecret(database.db, { userId, secret: sealed })))
    throw new AppError('already_exists', WORDS.secondFactorOn);
  return { secret: secret.base32, uri: new TOTP({ ...FORM, label: user.email, secret }).toString() };
}

/**
 * Puts the proposed secret in force with a first code from the app, and returns the recovery codes, which are
 * shown only here. Throws `invalid_parameters` for a wrong code, `already_exists`.
 */
export async function confirmSecondFactor(
  { database, userId, actor }: UserContext,
  { code }: { code: string },
): Promise<{ recoveryCodes: string[] }> {
  return database.db.transaction(async (tx) => {
    // Locked, so that the secret in force is the one that made the code: another tab may propose its own.
    await lockUser(tx, { userId });
    if (!(await takeTotp(tx, { userId, code }))) throw new AppError('invalid_parameters', WRONG_CODE);
    if (!(await startSecondFactor(tx, { userId })))
      throw new AppError('already_exists', WORDS.secondFactorOn);
    const made = await makeRecoveryCodes(tx, userId);
    await audit(tx, { actor, accountId: null, action: 'user.second_factor_on', target: userId });
    return made;
  });
}

export async function renewRecoveryCodes({
  database,
  userId,
  actor,
}: UserContext): Promise<{ recoveryCodes: string[] }> {
  return database.db.transaction(async (tx) => {
    await lockUser(tx, { userId });
    if ((await findSecondFactor(tx, { userId }))?.since == null)
      throw new AppError('not_found', 'Two-factor authentication is not on.');
    const made = await makeRecoveryCodes(tx, userId);
    await audit(tx, { actor, accountId: null, action: 'user.recovery_codes', target: userId });
    return made;
  });
}

/** Turns the second factor off. Throws `forbidden` if it is required, unless the operator does it. */
export async function removeSecondFactor({ database, userId, actor }: UserContext): Promise<void> {
  await database.db.transaction(async (tx) => {
    const user = await lockUser(tx, { userId });
    if (actor.kind === 'user' && user && isSecondFactorRequired(user))
      throw new AppError('forbidden', 'An administrator must keep two-factor authentication on here.');
    if (!(await removeSecondFactorRow(tx, { userId }))) return;
    await audit(tx, { actor, accountId: null, action: 'user.second_factor_off', target: userId });
  });
}

/** Whether a user needs a code at each sign-in. */
export async function asksForCode({ database, userId }: UserScope): Promise<boolean> {
  return (await findSecondFactor(database.db, { userId }))?.since != null;
}

/** Whether a code of the app or a recovery code is right; each works once. True if the user needs none. */
export async function passSecondFactor(
  scope: UserScope,
  { code }: { code: string | undefined },
): Promise<'passed' | 'missing' | 'wrong'> {
  if (!(await asksForCode(scope))) return 'passed';
  const { db } = scope.database;
  const { userId } = scope;
  const typed = code?.replace(/[\s-]/g, '').toLowerCase() ?? '';
  if (typed === '') return 'missing';
  const right =
    typed.length === FORM.digits
      ? await takeTotp(db, { userId, code: typed })
      : await takeRecoveryCode(db, { userId, codeHash: digest(typed) });
  return right ? 'passed' : 'wrong';
}

async function takeTotp(db: Db, { userId, code }: { userId: string; code: string }): Promise<boolean> {
  const secret = (await findSecondFactor(db, { userId }))?.secret;
  if (!secret) return false;
  const opened = Secret.fromBase32(unseal(secret, { use: 'totp', owner: userId }));
  const timestamp = Date.now();
  const delta = new TOTP({ ...FORM, secret: opened }).validate({
    token: code.replace(/\s/g, ''),
    timestamp,
    window: WINDOW_STEPS,
  });
  if (delta === null) return false;
  return takeStep(db, { userId, step: TOTP.counter({ period: FORM.period, timestamp }) + delta });
}

async function makeRecoveryCodes(db: Db, userId: string): Promise<{ recoveryCodes: string[] }> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_CHARS }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join(
      '',
    ),
  );
  await putRecoveryCodes(db, { userId, codeHashes: codes.map(digest) });
  return { recoveryCodes: codes.map((code) => code.match(/.{1,7}/g)?.join('-') ?? code) };
}
