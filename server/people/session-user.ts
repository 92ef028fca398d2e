import { type AccountOfUser, accountsOf, findAccountById } from '#server/accounts/queries/accounts.ts';
import type { Db } from '#server/platform/db/client.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import { findSignIn, type SignInRow, touchSignIn } from './queries/sign-ins.ts';
import { isSecondFactorRequired } from './second-factor.ts';

export interface SessionUser {
  userId: string;
  /** The browser's own sign-in. */
  signInId: string;
  /** How often its cookie was renewed: any other cookie of it is void. */
  renewals: number;
  email: string;
  admin: boolean;
  /** A code of the authenticator app is asked when they sign in. */
  secondFactor: boolean;
  /** The password was typed in this browser a moment ago: enough for what is grave. */
  confirmed: boolean;
  /** Oldest first. */
  accounts: AccountOfUser[];
  /** The account that an administrator looks at as its owner sees it: this alone, and nothing may be changed. */
  views: AccountOfUser | null;
}

/** What is grave asks for the password again after this. */
const CONFIRMED_SECONDS = 10 * 60;

/**
 * Who is signed in; null when the user is gone or disabled, or the sign-in was ended or ran out since. Whether a
 * cookie is the latest of it is for a caller that has read one to compare (`server/auth/session.ts`).
 */
export async function sessionUser(
  { database: { db } }: InstallationScope,
  params: { signInId: string },
): Promise<SessionUser | null> {
  const found = await findSignIn(db, params);
  if (!found) return null;
  if (found.stale) await touchSignIn(db, params);
  const { id: signInId, userId, email, admin, secondFactor, renewals, confirmedSecondsAgo } = found;
  const [accounts, views] = await Promise.all([accountsOf(db, { userId }), viewOf(db, found)]);
  const confirmed = confirmedSecondsAgo < CONFIRMED_SECONDS;
  return { userId, signInId, renewals, email, admin, secondFactor, confirmed, accounts, views };
}

/** Only an administrator looks at other accounts, and only one who could open the administration. */
async function viewOf(db: Db, found: SignInRow): Promise<AccountOfUser | null> {
  if (found.viewedAccountId === null || !found.admin) return null;
  if (isSecondFactorRequired(found) && !found.secondFactor) return null;
  const account = await findAccountById(db, { accountId: found.viewedAccountId });
  if (!account) return null;
  const { accountId, name, suspended } = account;
  return { accountId, name, suspended, role: 'owner' };
}
