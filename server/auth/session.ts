import { getServerSession } from 'next-auth';
import { database } from '#server/db/client.ts';
import { type SessionUser, sessionUser } from '#server/services/session-user.ts';
import { authOptions } from './options.ts';

/** What the cookie says: not believed until the sign-in is looked up. */
export interface SessionClaim {
  signInId: string;
}

/** The claim of this request's session cookie; null without one, or with one that is not ours. */
export async function sessionClaim(): Promise<SessionClaim | null> {
  const session = await getServerSession(authOptions());
  return session?.signInId ? { signInId: session.signInId } : null;
}

/** Who is behind a claim now; null when the sign-in was ended, or the user disabled, since. */
export function resolveSession(claim: SessionClaim): Promise<SessionUser | null> {
  return sessionUser(database().db, claim);
}

/** Who sends this request: for pages. */
export async function currentUser(): Promise<SessionUser | null> {
  const claim = await sessionClaim();
  return claim && resolveSession(claim);
}
