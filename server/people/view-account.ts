import { audit } from '#server/accounts/audit.ts';
import { findAccountById } from '#server/accounts/queries/accounts.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { findViewedAccount, setViewedAccount } from '#server/people/queries/sign-ins.ts';
import type { AccountContext, ActorContext } from '#server/platform/db/context.ts';

/**
 * From now on the administrator's browser shows an account as its people see it, and changes nothing until
 * the view is ended. Throws `not_found`, and `already_exists` while another account is looked at.
 */
export async function beginView(
  { database, accountId, actor }: AccountContext,
  { signInId }: { signInId: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    if (!(await findAccountById(tx, { accountId }))) throw notFound('account');
    if (!(await setViewedAccount(tx, { signInId, viewed: accountId })))
      throw new AppError('already_exists', 'You are already viewing another account. End that view first.');
    await audit(tx, { actor, accountId, action: 'account.view', target: accountId, detail: null });
  });
}

/** The administrator's browser shows their own account again. Null when it did all the time. */
export async function endView(
  { database, actor }: ActorContext,
  { signInId }: { signInId: string },
): Promise<{ accountId: string } | null> {
  return database.db.transaction(async (tx) => {
    const accountId = await findViewedAccount(tx, { signInId });
    if (accountId === null) return null;
    await setViewedAccount(tx, { signInId, viewed: null });
    await audit(tx, { actor, accountId, action: 'account.view_end', target: accountId, detail: null });
    return { accountId };
  });
}
