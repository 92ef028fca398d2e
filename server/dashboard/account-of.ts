import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { isSecondFactorRequired } from '#server/people/second-factor.ts';
import type { SessionUser } from '#server/people/session-user.ts';
import type { DashboardContext } from './context.ts';

/** Who is signed in. Throws `unauthorized`. */
export function userOf(context: DashboardContext): SessionUser {
  if (!context.user) throw new AppError('unauthorized', OUTCOMES.unauthorized.says.signedOut);
  return context.user;
}

/**
 * The installation's administrator; where the product faces the internet, one with a second factor. Throws
 * `unauthorized`, `forbidden`.
 */
export function requireAdmin(context: DashboardContext): SessionUser {
  const user = userOf(context);
  if (!user.admin) throw new AppError('forbidden', 'You are not allowed to do this.');
  if (isSecondFactorRequired(user) && !user.secondFactor)
    throw new AppError(
      'forbidden',
      'An administrator must have a second factor here. Switch it on under Account.',
    );
  return user;
}

/** What alone may be called by an administrator who looks at an account as its people see it, besides reading. */
const END_VIEW = 'admin.endView';

/**
 * Refuses whatever an administrator who looks at an account may not do: all that changes something, and the
 * administration. Every procedure passes here, for every role. Throws `forbidden`.
 */
export function refuseViewer(
  context: DashboardContext,
  { type, path }: { type: 'query' | 'mutation' | 'subscription'; path: string },
): void {
  const name = context.user?.views?.name;
  if (name === undefined || path === END_VIEW) return;
  if (type === 'mutation')
    throw new AppError(
      'forbidden',
      `You are viewing ${name} as a member, so you cannot change anything. End the view first.`,
    );
  if (path.startsWith('admin.'))
    throw new AppError('forbidden', `You are viewing ${name} as a member. End the view first.`);
}

/**
 * The account that a request is about: the one that an administrator looks at, else the one that the user
 * chose among theirs, else their first. What the page claims is never more than a choice. Throws `unauthorized`, `forbidden`.
 */
export function accountOf(context: DashboardContext): SessionUser['accounts'][number] {
  const { accounts, views } = userOf(context);
  if (views) return views;
  const account = accounts.find(({ accountId }) => accountId === context.accountChoice) ?? accounts[0];
  if (!account) throw new AppError('forbidden', 'You are not a member of any account.');
  return account;
}
