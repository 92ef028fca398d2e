import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { audit } from '#server/accounts/audit.ts';
import { insertAccount } from '#server/accounts/queries/accounts.ts';
import type { Actor } from '#server/core/actor.ts';
import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { InstallationContext, VisitorContext } from '#server/platform/db/context.ts';
import { mailer as installed, type Mailer } from '#server/platform/mail/mailer.ts';
import { settings } from '#server/settings.ts';
import { fromAddress, takeAttempts } from './attempts.ts';
import { mailSignUp } from './mail-sign-up.ts';
import { turnsOf } from './password-turns.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { insertUser } from './queries/users.ts';
import { WORDS } from './words.ts';

/** The limit of new accounts from one network address; high, because offices share one. */
const FROM_ADDRESS = { free: 20, firstWaitSeconds: 180, mostWaitSeconds: 3600 } as const;

/** A visitor is answered after this time, in ms, which is longer than either case takes. */
const VISITOR_ANSWER_MS = 400;

const Email = z.email().max(254);

export interface SignUp {
  email: string;
  password: string;
  /** The account's name; by default the email address. */
  accountName?: string;
  /** Where the visitor came from, for the audit log. */
  address?: string | null;
  /** The operator, who can sign up users at any time and vouches for the address; none for a visitor. */
  operator?: Extract<Actor, { kind: 'cli' | 'system' }>;
  /** Makes the user an administrator; only for the operator. */
  admin?: boolean;
  /** Runs in the same transaction: if it throws, neither user nor account is made. */
  within?: (tx: Tx, user: { userId: string }) => Promise<void>;
}

/**
 * Makes a user and the account that they own. Throws `invalid_parameters` for an email address or password
 * that is refused, `already_exists` when the address belongs to a user, `forbidden` while sign-up is closed.
 */
export async function signUp(
  { database }: InstallationContext,
  params: SignUp,
): Promise<{ userId: string; accountId: string; email: string }> {
  const { operator, password, admin = false } = params;
  if (!operator) requireOpen(admin);
  const email = requireEmail(params.email);
  requireGoodPassword(password, email);
  const name = cleanLine('The account name', params.accountName ?? email) || email;
  // Made before it is known whether the address is free, so that the response time reveals nothing.
  const passwordHash = await hashPassword(
    password,
    params.address === undefined ? [] : turnsOf(email, params.address),
  );
  const userId = newId('user');
  const accountId = newId('account');
  await database.db.transaction(async (tx) => {
    if (
      !(await insertUser(tx, {
        id: userId,
        email,
        passwordHash,
        admin,
        emailConfirmed: operator !== undefined,
      }))
    )
      throw new AppError('already_exists', 'This email address is already registered. Sign in instead.');
    await insertAccount(tx, { id: accountId, name, ownerId: userId });
    await audit(tx, {
      actor: operator ?? { kind: 'user', userId, address: params.address ?? null },
      accountId,
      action: 'account.create',
      target: userId,
      detail: { admin },
    });
    await params.within?.(tx, { userId });
  });
  return { userId, accountId, email };
}

/**
 * {@link signUp} for a visitor, who must not learn whether an email address belongs to a user: if it does,
 * nothing is made, and the answer takes the same time. If mails can be sent, the user is made when they open the
 * mailed link. Also throws `rate_limited`.
 */
export async function signUpAsVisitor(
  context: VisitorContext,
  input: { email: string; password: string; accountName?: string; mailer?: Mailer | null },
): Promise<{ mailed: boolean; done?: Promise<void> }> {
  const { database, address } = context;
  const { mailer = installed(), ...user } = input;
  await takeAttempts({ database }, [{ key: fromAddress('sign-up', address), ...FROM_ADDRESS }], 'sign up');
  const answer = answeredLikeAnyVisitor();
  if (mailer) {
    requireOpen();
    const email = requireEmail(user.email);
    requireGoodPassword(user.password, email);
    const accountName = cleanLine('The account name', user.accountName ?? email) || email;
    const asked = { email, password: user.password, accountName, invitationHash: null, mailer };
    return { mailed: true, ...(await mailSignUp(context, asked)) };
  }
  await signUp({ database }, { ...user, address }).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'already_exists')) throw error;
  });
  await answer();
  return { mailed: false };
}

function requireOpen(admin = false): void {
  if (settings.signUpOpen && !admin) return;
  throw new AppError('forbidden', WORDS.signUpClosed);
}

/** Call it first, and the returned function last, so that an answer's time does not reveal the work in between. */
export function answeredLikeAnyVisitor(): () => Promise<void> {
  const answerAtMs = performance.now() + VISITOR_ANSWER_MS;
  return () => delay(Math.max(0, answerAtMs - performance.now()));
}

/** An email address as it is stored. Throws `invalid_parameters` if it is invalid. */
export function requireEmail(text: string): string {
  const email = text.trim();
  if (!Email.safeParse(email).success)
    throw new AppError('invalid_parameters', 'Enter an email address such as ann@example.org.', {
      field: 'email',
    });
  return email;
}
