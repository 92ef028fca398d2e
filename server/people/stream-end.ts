import { findAccountById } from '#server/accounts/queries/accounts.ts';
import type { Db } from '#server/platform/db/client.ts';
import { type SessionUser, sessionUser } from './session-user.ts';

/** Why a page may not follow its account any more. */
export type StreamEndReason = 'account_deleted' | 'signed_out' | 'view_began' | 'view_ended' | 'left_account';

/** What happened to a stream that `user` opened for an account and that had to end. */
export async function streamEnd(
  db: Db,
  params: { accountId: string; user: SessionUser },
): Promise<StreamEndReason> {
  // First: the people of a deleted account are signed out by that as well.
  if (!(await findAccountById(db, params))) return 'account_deleted';
  const now = await sessionUser(db, params.user);
  if (!now) return 'signed_out';
  if (now.views) return 'view_began';
  return params.user.views ? 'view_ended' : 'left_account';
}
