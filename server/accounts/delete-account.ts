import { AppError } from '#server/core/errors.ts';
import { because } from '#server/core/message-outcome.ts';
import { notFound } from '#server/core/not-found.ts';
import { listNumberRows, lockNumbers, markRemoved } from '#server/numbers/queries/numbers.ts';
import { endSession } from '#server/numbers/unlink-number.ts';
import type { AccountContext, InstallationContext } from '#server/platform/db/context.ts';
import { runEach } from '#server/platform/db/run-each.ts';
import { log } from '#server/platform/log.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { audit } from './audit.ts';
import { findAccountById, lockAccount } from './queries/accounts.ts';
import {
  deletePeople,
  hasOtherAdmin,
  listOnlyMembers,
  markDeleted,
  pseudonymise,
  revokeAllKeys,
} from './queries/deletion.ts';
import { eraseAuditTexts, listRemovable, nameErased, removeRows } from './queries/erased-accounts.ts';

/**
 * Deletes an account and its members who belong to no other one. Its keys and sign-ins end at once, and its waiting
 * messages are cancelled. A worker then unlinks the phones, and {@link removeDeletedAccounts} deletes the rows. The audit
 * log stays, with random names as actors and without texts. `accountName`: typed as a confirmation; null for the operator. Throws
 * `not_found`, `invalid_parameters` for another name, `forbidden` for the last administrator's account.
 */
export async function deleteAccount(
  { database, accountId, actor }: AccountContext,
  { accountName }: { accountName: string | null },
): Promise<{ numbers: number; people: number }> {
  const phones: string[] = [];
  const done = await database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    const account = await findAccountById(tx, { accountId });
    if (!account) throw notFound('account');
    if (accountName !== null && accountName.trim() !== account.name)
      throw new AppError('invalid_parameters', `Type the exact name of the account: ${account.name}`);
    const people = await listOnlyMembers(tx, { accountId });
    const userIds = people.map(({ userId }) => userId);
    if (people.some(({ admin }) => admin) && !(await hasOtherAdmin(tx, { userIds })))
      throw new AppError(
        'forbidden',
        'This is the account of the only administrator. Make somebody else an administrator first.',
      );
    await lockNumbers(tx, { accountId });
    const numbers = await listNumberRows(tx, { accountId });
    for (const number of numbers) {
      const of = { accountId, numberId: number.id };
      await endSession(tx, of, number, {
        cause: { code: 'account_deleted' },
        ...because('removed', 'account'),
      });
      await markRemoved(tx, of);
      if (number.sandboxPhone !== null) phones.push(number.sandboxPhone);
    }
    await revokeAllKeys(tx, { accountId });
    const counts = { numbers: numbers.length, people: people.length };
    await audit(tx, { actor, accountId, action: 'account.delete', target: accountId, detail: counts });
    await pseudonymise(tx, { accountId, userIds });
    await deletePeople(tx, { accountId, userIds });
    await markDeleted(tx, { accountId });
    await eraseAuditTexts(tx, { accountId });
    return counts;
  });
  await clearPhones(phones);
  return done;
}

/** Deletes the messages in the sandbox's virtual phones, if the sandbox is running. */
async function clearPhones(phones: string[]): Promise<void> {
  for (const phone of phones) {
    await sandboxClient()
      .clearInbox({ phone })
      .catch((error: unknown) => log.warn({ err: error }, 'a sandbox phone was not cleared'));
  }
}

/**
 * Deletes the rows of deleted accounts whose sessions have ended. Returns how many accounts it deleted. Safe to
 * repeat. One that cannot be deleted does not keep the others; its error is thrown at the end.
 */
export async function removeDeletedAccounts({ database }: InstallationContext): Promise<number> {
  const accountIds = await listRemovable(database);
  const failures = await runEach(database, accountIds, async (accountId) => {
    // Again, for what was being done while the account was deleted.
    await pseudonymise(database.db, { accountId, userIds: [] });
    await eraseAuditTexts(database.db, { accountId });
    await nameErased(database, { accountId });
    // Last, so that the next run repeats all of this after a failure.
    await removeRows(database, { accountId });
  });
  if (failures.length > 0) throw failures[0];
  return accountIds.length;
}
