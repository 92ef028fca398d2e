import type { SessionClaim } from '#server/auth/session.ts';
import type { SessionUser } from '#server/people/session-user.ts';
import type { Database } from '#server/platform/db/client.ts';

/** The context of a dashboard procedure. */
export interface DashboardContext {
  database: Database;
  /** Null without a valid session. */
  user: SessionUser | null;
  /** The account that the page shows, of those that the user belongs to. */
  accountChoice: string | undefined;
  address: string | null;
  /** The browser's own id. */
  device?: string | null;
  /** Sets a new session cookie in the answer; pages that are rendered on the server cannot. */
  renewSession?: (of: SessionClaim & { userId: string }) => Promise<void>;
}
