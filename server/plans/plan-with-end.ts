import { planEndText } from '#server/core/plan-end.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { planOf, type SubscriptionView } from './plan-of.ts';

/** A plan as its pages show it. `ends`: when it ends or ended without a payment; null if it was ended by hand, or is none. */
export async function planWithEnd(scope: AccountScope): Promise<SubscriptionView & { ends: string | null }> {
  const plan = await planOf(scope);
  const { paidUntil, state } = plan;
  return { ...plan, ends: paidUntil === null || state === 'ended' ? null : planEndText(paidUntil, settings) };
}
