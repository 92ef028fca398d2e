import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import { type AccountRow, findAccountById, findAccountsOwnedBy } from './queries/accounts.ts';

/**
 * Finds an account for the operator, by its id or by its owner's email address. Throws `not_found`, and
 * `invalid_parameters` if that user owns several accounts.
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
    throw new AppError('not_found', `No user with the email address ${params.email} has an account.`);
  if (more.length > 0) {
    const ids = [found, ...more].map((account) => account.accountId).join(', ');
    throw new AppError(
      'invalid_parameters',
      `${params.email} owns several accounts; name one of them: ${ids}.`,
    );
  }
  return found;
}
