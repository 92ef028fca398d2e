import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { isSecondFactorRequired } from '#server/people/second-factor.ts';
import type { SessionUser } from '#server/people/session-user.ts';
import type { DashboardContext } from './context.ts';

/** The signed-in user. Throws `unauthorized`, also if the page shows another user. */
export function userOf({ user, shownUser = null }: DashboardContext): SessionUser {
  if (!user) throw new AppError('unauthorized', OUTCOMES.unauthorized.says.signedOut);
  if (shownUser !== null && shownUser !== user.userId)
    throw new AppError('unauthorized', 'Another user is signed in now. Reload the page.');
  return user;
}

/**
 * The installation's administrator, with a second factor if the product faces the internet. Throws `unauthorized`,
 * `forbidden`.
 */
export function requireAdmin(context: DashboardContext): SessionUser {
  const user = userOf(context);
  if (!user.admin) throw new AppError('forbidden', 'You are not allowed to do this.');
  if (isSecondFactorRequired(user) && !user.secondFactor)
    throw new AppError(
      'forbidden',
      'An administrator must use two-factor authentication here. Turn it on under Your account.',
    );
  return user;
}

/** The only changes that an administrator may make while viewing an account. */
const END_VIEW = 'admin.endView';

/**
 * Refuses changes and the administration to an administrator who views an account. Every procedure passes here.
 * Throws `forbidden`.
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
 * The account of a request: the one that an administrator views, else the one that the page shows, else the user's
 * choice among their own, else their first. Throws `forbidden`; `unauthorized`, on which the page loads again, also if
 * it is not the one that the page shows.
 */
export function accountOf(context: DashboardContext): SessionUser['accounts'][number] {
  const { accounts, views } = userOf(context);
  const { accountChoice, shownAccount = null } = context;
  const chosen = shownAccount ?? accountChoice;
  const account = views ?? accounts.find(({ accountId }) => accountId === chosen) ?? accounts[0];
  if (account && shownAccount !== null && account.accountId !== shownAccount)
    throw new AppError('unauthorized', 'You cannot open the account that this page shows. Reload the page.');
  if (!account) throw new AppError('forbidden', 'You are not a member of any account.');
  return account;
}
