import { AppError } from '#server/core/errors.ts';
import type { SessionUser } from '#server/services/session-user.ts';
import type { DashboardContext } from './context.ts';

/** Who is signed in. Throws `unauthorized`. */
export function userOf(context: DashboardContext): SessionUser {
  if (!context.user) throw new AppError('unauthorized', 'You are signed out. Sign in again.');
  return context.user;
}

/**
 * The account that a request is about: the one that the user chose among theirs, else their first. What the
 * page claims is never more than a choice. Throws `unauthorized`, `forbidden`.
 */
export function accountOf(context: DashboardContext): SessionUser['accounts'][number] {
  const { accounts } = userOf(context);
  const account = accounts.find(({ accountId }) => accountId === context.accountChoice) ?? accounts[0];
  if (!account) throw new AppError('forbidden', 'You do not belong to an account yet.');
  return account;
}
