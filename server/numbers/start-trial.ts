import { keepTrialRunning } from '#server/plans/trial.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { getNumber, type OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';

/** Starts the stopped session of a trial number. Throws `not_found`, and `plan_inactive` if no session is free. */
export async function startTrial(scope: AccountScope, ofNumber: OfNumber): Promise<NumberView> {
  await keepTrialRunning(scope, ofNumber);
  return getNumber(scope, ofNumber);
}
