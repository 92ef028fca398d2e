import { findAccount } from '#server/accounts/find-account.ts';
import { planWorks } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { type ActorContext, inside } from '#server/platform/db/context.ts';
import { activateInside } from './activate-plan.ts';
import { planOf } from './plan-of.ts';
import type { SeenPlan } from './seen-plan.ts';

/** One account's renewal, with the same number of numbers. */
export interface Renewal {
  accountId: string;
  /** Last day paid for, `YYYY-MM-DD`, inclusive. */
  paidUntil: string;
  /** Null if there was no payment. */
  amountCents: number | null;
  reference: string;
  seen?: SeenPlan;
}

/**
 * Renews the plans of several accounts, with a payment for each, in one transaction. Throws `not_found`, and
 * `invalid_parameters` with the account's name, also for an account without a plan or that is named twice, and for a
 * day that does not extend the plan, and `already_exists` for another plan than the one seen.
 */
export async function renewAccounts(
  { database, actor }: ActorContext,
  input: { renewals: readonly Renewal[]; paidOn: string | null; note: string },
): Promise<{ renewed: number }> {
  const { paidOn, note } = input;
  // Always in the same order, so that two administrators who renew at once wait for each other.
  const renewals = input.renewals.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
  if (new Set(renewals.map(({ accountId }) => accountId)).size < renewals.length)
    throw new AppError('invalid_parameters', 'An account is selected twice. Select each account once.');
  await database.db.transaction(async (tx) => {
    for (const { accountId, ...renewal } of renewals) {
      const { name } = await findAccount({ database: { db: tx } }, { accountId });
      const { numbersIncluded, state, paidUntil } = await planOf(inside(tx, { accountId }));
      if (numbersIncluded === 0)
        throw new AppError('invalid_parameters', `${name} has no plan yet: enable it on its page first.`);
      const terms = { ...renewal, numbersIncluded, note, paidOn };
      const renewed = await activateInside(tx, { accountId, actor }, terms).catch((error: unknown) => {
        throw error instanceof AppError ? new AppError(error.code, `${name}: ${error.message}`) : error;
      });
      // A mistyped year would end the plan of a customer who has just paid, and cancel what waits.
      const shortens = planWorks(state) && paidUntil !== null && renewal.paidUntil <= paidUntil;
      if (shortens || !planWorks(renewed.state))
        throw new AppError(
          'invalid_parameters',
          `${name}: ${renewal.paidUntil} does not extend the plan. Enter a later day, or change the plan on the account’s page.`,
        );
    }
  });
  return { renewed: renewals.length };
}
