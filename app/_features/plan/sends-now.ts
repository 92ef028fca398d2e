import { type PlanState, planWorks } from '#server/core/access.ts';
import type { Network } from '#server/core/number-state.ts';

export interface SendingPlan {
  state: PlanState;
  suspended: boolean;
  trial: { messagesLeft: number } | null;
}

/** Whether an account can send now, at least from the dashboard. */
export const sendsNow = ({ state, suspended, trial }: SendingPlan): boolean =>
  !suspended && (planWorks(state) || (state === 'none' && trial !== null));

/** Whether an account can link a phone of this network now. The trial has sandbox phones only. */
export const linksNow = (plan: SendingPlan, network: Network): boolean =>
  sendsNow(plan) && (network === 'sandbox' || planWorks(plan.state));
