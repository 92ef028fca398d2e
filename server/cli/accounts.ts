import { findAccount } from '#server/accounts/find-account.ts';
import { AppError } from '#server/core/errors.ts';
import { accountOfKey, accountOfNumber } from '#server/operations/queries/operator.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { type CliContext, text, UsageError } from './command.ts';

const actor = { kind: 'cli' } as const;

/** Options that name an account: `--email` if its owner has only one, else `--account`. */
export const accountOptions = { email: text.optional(), account: text.optional() };
export const ACCOUNT_USAGE = '(--email E | --account acc_…)';

/**
 * The operator's context in the account that the options name. Throws {@link UsageError} for none or two,
 * `not_found`.
 */
export async function contextOfAccount(
  context: CliContext,
  { email, account }: { email?: string | undefined; account?: string | undefined },
): Promise<AccountContext> {
  const database = await context.database();
  if (email !== undefined && account === undefined)
    return { database, actor, accountId: (await findAccount({ database }, { email })).accountId };
  if (account !== undefined && email === undefined)
    return {
      database,
      actor,
      accountId: (await findAccount({ database }, { accountId: account })).accountId,
    };
  throw new UsageError(`Name the account: ${ACCOUNT_USAGE}.`);
}

/** The operator's context in the account of a number. Throws `not_found`. */
export async function contextOfNumber(context: CliContext, instance: string): Promise<AccountContext> {
  const database = await context.database();
  const accountId = await accountOfNumber(database.db, { numberId: instance });
  if (!accountId) throw new AppError('not_found', `There is no number ${instance}.`);
  return { database, actor, accountId };
}

/** The operator's context in the account of a key. Throws `not_found`. */
export async function contextOfKey(context: CliContext, keyId: string): Promise<AccountContext> {
  const database = await context.database();
  const accountId = await accountOfKey(database.db, { keyId });
  if (!accountId) throw new AppError('not_found', `There is no key ${keyId}.`);
  return { database, actor, accountId };
}
