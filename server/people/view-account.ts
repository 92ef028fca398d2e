import { audit } from '#server/accounts/audit.ts';
import { findAccountById } from '#server/accounts/queries/accounts.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { findViewedAccount, setViewedAccount } from '#server/people/queries/sign-ins.ts';
import type { AccountContext, ActorContext } from '#server/platform/db/context.ts';

/**
 * Shows an account in the administrator's browser as its members see it, read-only, until the view is ended.
 * Throws `not_found`, and `already_exists` while another account is viewed.
 */
export async function beginView(
  { database, accountId, actor }: AccountContext,
  { signInId }: { signInId: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    if (!(await findAccountById(tx, { accountId }))) throw notFound('account');
    if (!(await setViewedAccount(tx, { signInId, viewed: accountId })))
      throw new AppError('already_exists', 'You are already viewing another account. End that view first.');
    await audit(tx, { actor, accountId, action: 'account.view', target: accountId });
  });
}

/** Ends the view. Null if no account was viewed. */
export async function endView(
  { database, actor }: ActorContext,
  { signInId }: { signInId: string },
): Promise<{ accountId: string } | null> {
  return database.db.transaction(async (tx) => {
    const accountId = await findViewedAccount(tx, { signInId });
    if (accountId === null) return null;
    await setViewedAccount(tx, { signInId, viewed: null });
    await audit(tx, { actor, accountId, action: 'account.view_end', target: accountId });
    return { accountId };
  });
}
