import { accessMessage, planWorks } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { endsLink } from '#server/core/number/ends-link.ts';
import { planOf } from '#server/plans/plan-of.ts';
import { type AccountContext, inside } from '#server/platform/db/context.ts';
import { changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import { isOnTrial, type NumberView } from './number-view.ts';
import { setIntent } from './queries/intents.ts';
import { setStatus } from './queries/number-events.ts';

/**
 * Takes back a session that was opened elsewhere, or tries again after WhatsApp refused it: a worker restarts it
 * from the stored link. If WhatsApp has ended the link, the number is logged out and still shows why. Throws
 * `not_found`, `plan_inactive`, and `already_exists` in any other state.
 */
export async function takeOverSession(context: AccountContext, { numberId }: OfNumber): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.use_here' }, async (tx, ref, number) => {
    if (number.status !== 'CONFLICT' && number.status !== 'BLOCKED')
      throw new AppError('already_exists', 'This number is neither open elsewhere nor blocked.');
    if (endsLink(number.cause)) {
      await setStatus(tx, { ...ref, status: 'LOGGED_OUT', cause: number.cause });
      return { was: number.status };
    }
    const plan = await planOf(inside(tx, context));
    if (plan.suspended || !(planWorks(plan.state) || isOnTrial(number)))
      throw new AppError('plan_inactive', accessMessage(plan.suspended ? 'suspended' : plan.state));
    await setIntent(tx, { ...ref, intent: 'run' });
    await setStatus(tx, { ...ref, status: 'RECONNECTING', cause: { code: 'taken_back' } });
    return { was: number.status };
  });
}
