import { findAccountById } from '#server/accounts/queries/accounts.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { type SessionUser, sessionUser } from './session-user.ts';

/** Why a page may no longer follow its account. */
export type StreamEndReason = 'account_deleted' | 'signed_out' | 'view_began' | 'view_ended' | 'left_account';

/** Why a stream that `user` opened for an account had to end. */
export async function streamEnd(
  { database, accountId }: AccountScope,
  user: SessionUser,
): Promise<StreamEndReason> {
  // First: deleting an account also signs its members out.
  if (!(await findAccountById(database.db, { accountId }))) return 'account_deleted';
  const now = await sessionUser({ database }, user);
  if (!now) return 'signed_out';
  if (now.views) return 'view_began';
  return user.views ? 'view_ended' : 'left_account';
}
