import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { planWorks } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { because } from '#server/core/message-outcome.ts';
import { notFound } from '#server/core/not-found.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { isWithinPlan } from '#server/numbers/number-view.ts';
import { listNumberRows, lockNumbers, setKept } from '#server/numbers/queries/numbers.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { type AccountContext, inside } from '#server/platform/db/context.ts';
import { planOf } from './plan-of.ts';

/**
 * Chooses which numbers keep sending if there are more than the plan includes. The others send nothing, and their
 * waiting messages are cancelled. The choice can be changed at any time. Throws `not_found` for a number that is
 * not the account's, `invalid_parameters` for more than the plan includes.
 */
export async function keepNumbers(
  context: AccountContext,
  input: { numberIds: string[] },
): Promise<{ cancelled: number }> {
  const { database, accountId, actor } = context;
  const numberIds = [...new Set(input.numberIds)];
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    await lockNumbers(tx, { accountId });
    const own = new Set((await listNumberRows(tx, { accountId })).map(({ id }) => id));
    if (!numberIds.every((id) => own.has(id))) throw notFound('number');
    const plan = await planOf(inside(tx, context));
    if (numberIds.length > plan.numbersIncluded)
      throw new AppError(
        'invalid_parameters',
        `The plan includes ${plan.numbersIncluded} ${plan.numbersIncluded === 1 ? 'number' : 'numbers'}. Select at most that many.`,
      );
    await setKept(tx, { accountId, numberIds });
    const cancelled = planWorks(plan.state) ? await cancelOnExcess(tx, { accountId }) : 0;
    const detail = { numbers: numberIds.length, cancelled };
    await audit(tx, { actor, accountId, action: 'plan.keep_numbers', target: accountId, detail });
    return { cancelled };
  });
}

/**
 * Cancels the waiting messages of the numbers beyond those that the plan includes, and returns how many there
 * were. Lock the account's numbers first.
 */
export async function cancelOnExcess(tx: Tx, params: { accountId: string }): Promise<number> {
  const { accountId } = params;
  const excess = (await listNumberRows(tx, { accountId })).filter((number) => !isWithinPlan(number));
  let cancelled = 0;
  for (const { id } of excess)
    cancelled += await cancelWaiting(tx, { accountId, numberId: id, ...because('plan_ended', 'excess') });
  return cancelled;
}
