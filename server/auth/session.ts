import { getServerSession } from 'next-auth';
import { encode } from 'next-auth/jwt';
import { type SessionUser, sessionUser } from '#server/people/session-user.ts';
import { database } from '#server/platform/db/client.ts';
import { signedInAs } from '#server/platform/page-turn.ts';
import { secret } from '#server/platform/secrets.ts';
import { authOptions } from './options.ts';

/** What a session cookie contains: not trusted until the sign-in is looked up. */
export interface CookieContent {
  signInId: string;
  /** Which of the sign-in's cookies it is: only the latest is valid. */
  renewals: number;
}

/** The content of this request's session cookie; null without one, or with one that is not ours. */
export async function readSessionCookie(): Promise<CookieContent | null> {
  const session = await getServerSession(authOptions());
  return session?.signInId ? { signInId: session.signInId, renewals: session.renewals } : null;
}

/** The user of a session cookie; null if the sign-in was ended, the cookie replaced or the user disabled since. */
export async function userOfCookie(content: CookieContent): Promise<SessionUser | null> {
  const user = await sessionUser({ database: database().forPages }, content);
  if (user?.renewals !== content.renewals) return null;
  signedInAs(user.accounts[0]?.accountId ?? user.userId);
  return user;
}

/** The `Set-Cookie` line that replaces a sign-in's cookie. */
export async function sessionCookie(of: CookieContent & { userId: string }): Promise<string> {
  const { userId: sub, signInId, renewals } = of;
  const { session, cookies } = authOptions();
  const { name, options } = cookies.sessionToken;
  const { maxAge } = session;
  const token = await encode({ token: { sub, signInId, renewals }, secret: secret('authSecret'), maxAge });
  const secure = options.secure ? '; Secure' : '';
  return `${name}=${token}; Path=${options.path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** The user of this request, for pages. */
export async function currentUser(): Promise<SessionUser | null> {
  const content = await readSessionCookie();
  return content && userOfCookie(content);
}
