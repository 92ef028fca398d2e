import type { CookieContent } from '#server/auth/session.ts';
import type { SessionUser } from '#server/people/session-user.ts';
import type { Database } from '#server/platform/db/client.ts';

export interface DashboardContext {
  database: Database;
  /** Null without a valid session. */
  user: SessionUser | null;
  /** The account ID in the cookie, unchecked (`account-of.ts`). */
  accountChoice: string | null;
  /** The account ID that the page shows, unchecked. Another tab may have chosen another one since. */
  shownAccount?: string | null;
  /** The user whom the page shows. In another tab another user may have signed in since. */
  shownUser?: string | null;
  address: string | null;
  /** The device ID in the cookie (`server/auth/device.ts`). */
  device: string | null;
  /** Sets a new session cookie in the answer. Absent while a page is rendered: it cannot set cookies. */
  renewSession?: (of: CookieContent & { userId: string }) => Promise<void>;
}
