import { type AccountOfUser, accountsOf, findAccountById } from '#server/accounts/queries/accounts.ts';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import { findSignIn, type SignInRow, touchSignIn } from './queries/sign-ins.ts';
import { isSecondFactorRequired } from './second-factor.ts';

/** After this time, critical changes require the password again. */
const CONFIRMED_SECONDS = 10 * 60;

/**
 * The signed-in user; null if the user was deleted or disabled, or the sign-in has ended. A caller with a cookie
 * also checks that it is the latest one (`server/auth/session.ts`).
 */
export async function sessionUser({ database: { db } }: InstallationScope, params: { signInId: string }) {
  const found = await findSignIn(db, params);
  if (!found) return null;
  if (found.stale) await touchSignIn(db, params);
  const [accounts, views] = await Promise.all([accountsOf(db, found), viewOf(db, found)]);
  return {
    /** `renewals`: how often its cookie was renewed; only the latest one is valid. */
    ...pick(found, 'userId', 'renewals', 'email', 'admin', 'secondFactor'),
    /** The browser's own sign-in. */
    signInId: found.id,
    /** The password was entered in this browser recently enough for critical changes. */
    confirmed: found.confirmedSecondsAgo < CONFIRMED_SECONDS,
    /** Oldest first. */
    accounts,
    /** The account that an administrator views as its members see it, read-only. No other account is accessible then. */
    views,
  };
}

export type SessionUser = NonNullable<Awaited<ReturnType<typeof sessionUser>>>;

/** Only an administrator with access to the administration may view other accounts. */
async function viewOf(db: Db, found: SignInRow): Promise<AccountOfUser | null> {
  if (found.viewedAccountId === null || !found.admin) return null;
  if (isSecondFactorRequired(found) && !found.secondFactor) return null;
  const account = await findAccountById(db, { accountId: found.viewedAccountId });
  if (!account) return null;
  const { accountId, name, suspended } = account;
  return { accountId, name, suspended, role: 'owner' };
}
