import { findAccount } from '#server/accounts/find-account.ts';
import { AppError } from '#server/core/errors.ts';
import { accountOfKey, accountOfNumber } from '#server/operations/queries/operator.ts';
import type { Database } from '#server/platform/db/client.ts';
import { text, UsageError } from './command.ts';

/** Options that name an account: `--email` where its owner has one alone, else `--account`. */
export const ofAccount = { email: text.optional(), account: text.optional() };
export const OF_ACCOUNT = '(--email E | --account acc_…)';

/** The account that the options name. Throws {@link UsageError} for none or two, `not_found`. */
export async function accountOf(
  database: Database,
  given: { email?: string | undefined; account?: string | undefined },
): Promise<string> {
  const { email, account } = given;
  if (email !== undefined && account === undefined)
    return (await findAccount(database.db, { email })).accountId;
  if (account !== undefined && email === undefined)
    return (await findAccount(database.db, { accountId: account })).accountId;
  throw new UsageError(`Name the account: ${OF_ACCOUNT}.`);
}

/** The account of a number that the operator names by its id. Throws `not_found`. */
export async function accountOfInstance(database: Database, instance: string): Promise<string> {
  const accountId = await accountOfNumber(database.db, { numberId: instance });
  if (!accountId) throw new AppError('not_found', `There is no number ${instance}.`);
  return accountId;
}

/** The account of a key that the operator names by its id. Throws `not_found`. */
export async function accountOfKeyId(database: Database, keyId: string): Promise<string> {
  const accountId = await accountOfKey(database.db, { keyId });
  if (!accountId) throw new AppError('not_found', `There is no key ${keyId}.`);
  return accountId;
}
