import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import { type AccountRow, findAccountById, findAccountsOwnedBy } from './queries/accounts.ts';

/**
 * For the operator: an account by its id, or the one that the user with an e-mail address owns. Throws
 * `not_found`, and `invalid_parameters` where the user owns several.
 */
export async function findAccount(
  { database: { db } }: InstallationScope,
  params: { email: string } | { accountId: string },
): Promise<AccountRow> {
  if ('accountId' in params) {
    const found = await findAccountById(db, params);
    if (!found) throw notFound('account');
    return found;
  }
  const [found, ...more] = await findAccountsOwnedBy(db, { email: params.email.trim() });
  if (!found)
    throw new AppError('not_found', `No user with the e-mail address ${params.email} has an account.`);
  if (more.length > 0) {
    const ids = [found, ...more].map((account) => account.accountId).join(', ');
    throw new AppError(
      'invalid_parameters',
      `${params.email} owns several accounts; name one of them: ${ids}.`,
    );
  }
  return found;
}
