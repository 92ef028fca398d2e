import { type PlanState, planWorks } from '#server/core/access.ts';

export interface SendingPlan {
  state: PlanState;
  suspended: boolean;
  trial: { messagesLeft: number } | null;
}

/** Whether an account can send now, at least from the dashboard. */
export const sendsNow = ({ state, suspended, trial }: SendingPlan): boolean =>
  !suspended && (planWorks(state) || (state === 'none' && trial !== null));
