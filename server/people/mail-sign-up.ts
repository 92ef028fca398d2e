import { randomBytes } from 'node:crypto';
import { audit } from '#server/accounts/audit.ts';
import { insertAccount } from '#server/accounts/queries/accounts.ts';
import { addressBlock } from '#server/core/client-address.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { VisitorContext } from '#server/platform/db/context.ts';
import { digest } from '#server/platform/digest.ts';
import { log } from '#server/platform/log.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { settings } from '#server/settings.ts';
import { fromAddress, giveBack, takeAttempts } from './attempts.ts';
import { joinBy } from './join-account.ts';
import { signUpMail, signUpOfUserMail } from './mails.ts';
import { turnsOf } from './password-turns.ts';
import { hashPassword, matchesPassword } from './passwords.ts';
import { findSignUp, insertSignUp, type SignUpRow, takeSignUp } from './queries/sign-ups.ts';
import { findAnyUserByEmail, insertUser } from './queries/users.ts';
import { WORDS } from './words.ts';

const LINK_MS = 24 * 3_600_000;
const TOKEN_BYTES = 24;
/** The limits of mails to one email address, from one network and from all, so that no mailbox is flooded. */
const FROM_BLOCK = { free: 3, firstWaitSeconds: 600, mostWaitSeconds: 3600 } as const;
const FROM_ALL = { free: 10, firstWaitSeconds: 600, mostWaitSeconds: 3600 } as const;
/** The limit of wrong passwords for links from one network. */
const TRIES = { free: 10, firstWaitSeconds: 30, mostWaitSeconds: 900 } as const;

/**
 * Mails a link that makes the user who signed up, so that nobody takes another person's address. The answer comes
 * before the address is looked up, so that neither its words nor its time reveal whether a user has it; `done`
 * settles after the mail. Throws `rate_limited`.
 */
export async function mailSignUp(
  { database, address }: VisitorContext,
  input: {
    email: string;
    password: string;
    accountName: string | null;
    invitationHash: string | null;
    mailer: Mailer;
  },
): Promise<{ done: Promise<void> }> {
  const { email, password, accountName, invitationHash, mailer } = input;
  const who = email.toLowerCase();
  const tries = [
    { key: `mail-sign-up:${digest(`${addressBlock(address)} ${who}`)}`, ...FROM_BLOCK },
    { key: `mail-sign-up:${digest(who)}`, ...FROM_ALL },
  ];
  await takeAttempts({ database }, tries, 'mail a link to this address');
  const passwordHash = await hashPassword(password, turnsOf(email, address));
  const row = { email, passwordHash, accountName, invitationHash };
  return { done: mailLink(database, mailer, row, address) };
}

async function mailLink(
  database: Database,
  mailer: Mailer,
  row: SignUpRow,
  address: string | null,
): Promise<void> {
  try {
    if (await findAnyUserByEmail(database.db, row)) {
      await mailer.send(signUpOfUserMail(row));
      return;
    }
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await insertSignUp(database.db, { ...row, tokenHash: digest(token), holdsForMs: LINK_MS });
    // In the fragment, so that no server's log and no Referer contains it.
    await mailer.send(signUpMail(row, `${settings.publicUrl}/confirm#${token}`));
  } catch (error) {
    log.error({ err: error, from: address }, 'a link to confirm an address could not be mailed');
  }
}

/**
 * Makes the user who opened the mailed link, with their own account or in the one that invited them. Requires the
 * password of the sign-up, so that the address's owner cannot let in another person who signed up with it. Throws
 * `not_found`, `invalid_parameters` for another password, `already_exists`, `rate_limited`.
 */
export async function confirmSignUp(
  { database, address }: VisitorContext,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const tries = [{ key: fromAddress('confirm', address), ...TRIES }];
  await takeAttempts({ database }, tries, 'confirm an address');
  const tokenHash = digest(token);
  const found = await findSignUp(database.db, { tokenHash });
  if (!found) throw usedUp();
  if (!(await matchesPassword(found.passwordHash, password, turnsOf(found.email, address))))
    throw new AppError(
      'invalid_parameters',
      'This password does not match the sign-up. Enter the one you chose then. If you did not sign up, close this page.',
    );
  await giveBack({ database }, tries);
  const { email, passwordHash, accountName, invitationHash } = found;
  if (invitationHash === null && !settings.signUpOpen) throw new AppError('forbidden', WORDS.signUpClosed);
  const userId = newId('user');
  const actor = { kind: 'user', userId, address } as const;
  await database.db.transaction(async (tx) => {
    if (!(await takeSignUp(tx, { email, tokenHash }))) throw usedUp();
    if (!(await insertUser(tx, { id: userId, email, passwordHash, admin: false, emailConfirmed: true })))
      throw new AppError('already_exists', 'This email address is already registered. Sign in instead.');
    if (invitationHash !== null) {
      await joinBy(tx, { tokenHash: invitationHash, userId, address });
      return;
    }
    const accountId = newId('account');
    await insertAccount(tx, { id: accountId, name: accountName ?? email, ownerId: userId });
    const detail = { admin: false };
    await audit(tx, { actor, accountId, action: 'account.create', target: userId, detail });
  });
  return { email };
}

const usedUp = () =>
  new AppError('not_found', 'This link was already used or has expired. Sign up again to get a new one.');
