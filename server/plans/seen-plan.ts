import { runningTerms } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { planOf } from './plan-of.ts';

/** A plan as a page showed it: {@link runningTerms}. Undefined for a caller that wants its change in any case. */
export type SeenPlan = ReturnType<typeof runningTerms> | undefined;

/**
 * Throws `already_exists` if the plan is no longer the one that was seen, so that a page that is out of date neither
 * records a payment twice nor takes back a change. Lock the account first.
 */
export async function requireSeen(scope: AccountScope, seen: SeenPlan): Promise<void> {
  if (!seen) return;
  const { numbersIncluded, paidUntil } = runningTerms(await planOf(scope));
  if (numbersIncluded === seen.numbersIncluded && paidUntil === seen.paidUntil) return;
  const now =
    paidUntil === null
      ? 'it has been ended'
      : `it now includes ${numbersIncluded} ${numbersIncluded === 1 ? 'number' : 'numbers'} and is paid until ${paidUntil}`;
  throw new AppError(
    'already_exists',
    `The plan was changed since this page showed it: ${now}. Check that your change is still needed, then try again.`,
  );
}
