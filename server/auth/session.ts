import { getServerSession } from 'next-auth';
import { encode } from 'next-auth/jwt';
import { type SessionUser, sessionUser } from '#server/people/session-user.ts';
import { database } from '#server/platform/db/client.ts';
import { secret } from '#server/platform/secrets.ts';
import { authOptions } from './options.ts';

/** What the cookie says: not believed until the sign-in is looked up. */
export interface SessionClaim {
  signInId: string;
  /** Which of the sign-in's cookies it is: the latest alone holds. */
  renewals: number;
}

/** The claim of this request's session cookie; null without one, or with one that is not ours. */
export async function sessionClaim(): Promise<SessionClaim | null> {
  const session = await getServerSession(authOptions());
  return session?.signInId ? { signInId: session.signInId, renewals: session.renewals } : null;
}

/** Who is behind a claim now; null when the sign-in was ended, its cookie replaced or the user disabled, since. */
export async function resolveSession(claim: SessionClaim): Promise<SessionUser | null> {
  const user = await sessionUser(database().forPages.db, claim);
  return user?.renewals === claim.renewals ? user : null;
}

/** The `Set-Cookie` line that puts a new cookie of a sign-in in the place of the one that is void. */
export async function sessionCookie(of: SessionClaim & { userId: string }): Promise<string> {
  const { userId: sub, signInId, renewals } = of;
  const { session, cookies } = authOptions();
  const { name, options } = cookies.sessionToken;
  const { maxAge } = session;
  const token = await encode({ token: { sub, signInId, renewals }, secret: secret('authSecret'), maxAge });
  const secure = options.secure ? '; Secure' : '';
  return `${name}=${token}; Path=${options.path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** Who sends this request: for pages. */
export async function currentUser(): Promise<SessionUser | null> {
  const claim = await sessionClaim();
  return claim && resolveSession(claim);
}
