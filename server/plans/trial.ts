import { accessMessage, linkingMessage } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { TRIAL, TRIAL_REFUSALS } from '#server/core/trial.ts';
import { isOnTrial } from '#server/numbers/number-view.ts';
import { countPlanPlaces, lockNumber, type NumberRow } from '#server/numbers/queries/numbers.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { countOtherTrials, noteTrialUse } from './queries/trials.ts';

/**
 * Lets an account without a plan link a number: one of the sandbox, while trials are on and there is a free
 * session. In the transaction that links it. Throws `plan_inactive`.
 */
export async function beginTrial(
  tx: Tx,
  { accountId }: Pick<AccountScope, 'accountId'>,
  number: Pick<NumberRow, 'id' | 'network'>,
): Promise<void> {
  if (!settings.trial || number.network !== 'sandbox')
    throw new AppError('plan_inactive', linkingMessage('none', number.network));
  if ((await countPlanPlaces(tx, { accountId, exceptId: number.id })) > 0)
    throw new AppError('plan_inactive', TRIAL_REFUSALS.numbers);
  await takeSession(tx, { accountId, numberId: number.id });
}

/**
 * Keeps a trial number's session running because a person uses the number, or starts it again. Throws `not_found`,
 * and `plan_inactive` if the number is not on trial or all sessions are in use.
 */
export async function keepTrialRunning(
  { database, accountId }: AccountScope,
  { numberId }: { numberId: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const number = await lockNumber(tx, { accountId, numberId });
    if (!number) throw notFound('number');
    if (!isOnTrial(number)) throw new AppError('plan_inactive', accessMessage('none'));
    await takeSession(tx, { accountId, numberId });
  });
}

async function takeSession(tx: Tx, ref: { accountId: string; numberId: string }): Promise<void> {
  if ((await countOtherTrials(tx, ref)) >= TRIAL.sessionsMax)
    throw new AppError('plan_inactive', TRIAL_REFUSALS.sessions);
  await noteTrialUse(tx, ref);
}
