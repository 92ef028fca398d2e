import type { Db } from '#server/db/client.ts';
import { type AccountOfUser, accountsOf } from '#server/store/accounts.ts';
import { findSignIn, touchSignIn } from '#server/store/sign-ins.ts';

export interface SessionUser {
  userId: string;
  /** The browser's own sign-in. */
  signInId: string;
  email: string;
  admin: boolean;
  /** A code of the authenticator app is asked when they sign in. */
  secondFactor: boolean;
  /** The password was typed in this browser a moment ago: enough for what is grave. */
  confirmed: boolean;
  /** Oldest first. */
  accounts: AccountOfUser[];
}

/** What is grave asks for the password again after this. */
const CONFIRMED_SECONDS = 10 * 60;

/** Who is signed in; null when the user is gone or disabled, or the sign-in was ended or ran out since. */
export async function sessionUser(db: Db, params: { signInId: string }): Promise<SessionUser | null> {
  const found = await findSignIn(db, params);
  if (!found) return null;
  if (found.stale) await touchSignIn(db, params);
  const { id: signInId, userId, email, admin, secondFactor, confirmedSecondsAgo } = found;
  const accounts = await accountsOf(db, { userId });
  const confirmed = confirmedSecondsAgo < CONFIRMED_SECONDS;
  return { userId, signInId, email, admin, secondFactor, confirmed, accounts };
}
