import type { SessionClaim } from '#server/auth/session.ts';
import type { SessionUser } from '#server/people/session-user.ts';
import type { Database } from '#server/platform/db/client.ts';

/** What a procedure of the dashboard knows of its request. */
export interface DashboardContext {
  database: Database;
  /** Null when nobody is signed in, or the session was ended. */
  user: SessionUser | null;
  /** The account that the page says it shows; only ever one among the user's own. */
  accountChoice: string | undefined;
  address: string | null;
  /** What the browser keeps since somebody first signed in with it. */
  device?: string | null;
  /** Puts a new session cookie into the answer, where there is one to put it into: pages only read. */
  renewSession?: (of: SessionClaim & { userId: string }) => Promise<void>;
}
