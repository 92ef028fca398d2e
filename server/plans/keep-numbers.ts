import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { planWorks } from '#server/core/access.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { listNumberRows, lockNumbers, setKept } from '#server/numbers/queries/numbers.ts';
import type { Database } from '#server/platform/db/client.ts';
import { cancelOnExcess } from './cancel-on-excess.ts';
import { planOf } from './plan-of.ts';

/**
 * An owner says which numbers stay where there are more than the plan includes; the others send nothing from
 * now on, and what waits on them is cancelled. Can be said again at any time. Throws `not_found` for a number
 * that is not the account's, `invalid_parameters` for more than the plan includes.
 */
export async function keepNumbers(
  database: Database,
  params: { accountId: string; numberIds: string[]; actor: Actor },
): Promise<{ cancelled: number }> {
  const { accountId, actor } = params;
  const numberIds = [...new Set(params.numberIds)];
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    await lockNumbers(tx, { accountId });
    const own = new Set((await listNumberRows(tx, { accountId })).map(({ id }) => id));
    if (!numberIds.every((id) => own.has(id))) throw notFound('number');
    const plan = await planOf(tx, { accountId });
    if (numberIds.length > plan.numbersIncluded)
      throw new AppError(
        'invalid_parameters',
        `The plan includes ${plan.numbersIncluded} ${plan.numbersIncluded === 1 ? 'number' : 'numbers'}. Select no more than that.`,
      );
    await setKept(tx, { accountId, numberIds });
    const cancelled = planWorks(plan.state) ? await cancelOnExcess(tx, { accountId }) : 0;
    const detail = { numbers: numberIds.length, cancelled };
    await audit(tx, { actor, accountId, action: 'plan.keep_numbers', target: accountId, detail });
    return { cancelled };
  });
}
