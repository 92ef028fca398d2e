import type { AccountScope } from '#server/platform/db/context.ts';
import { findPlanLoss } from './queries/alerts.ts';

/** For so long after a plan works again, its account sees what was not sent. */
const SHOWN_DAYS = 7;

/** What was not sent because the plan ended. Recipients of messages and of requests, some of each. */
export interface PlanLossView {
  since: Date;
  /** The plan works again. */
  over: boolean;
  cancelled: number;
  cancelledTo: string[];
  /** How many other recipients there are. */
  cancelledToOthers: number;
  refused: number;
  refusedTo: string[];
  refusedToOthers: number;
}

/** What the account's plan did not send at its last end and since; null if nothing, or if it works for long. */
export async function planLoss({ database, accountId }: AccountScope): Promise<PlanLossView | null> {
  const found = await findPlanLoss(database.db, { accountId, days: SHOWN_DAYS });
  if (!found) return null;
  const { since, over, loss } = found;
  const { cancelled, cancelledTo, cancelledRecipients, to, recipients } = loss;
  const refused = loss.refused ?? 0;
  if (cancelled + refused === 0) return null;
  return {
    ...{ since, over, cancelled, cancelledTo, refused, refusedTo: to },
    cancelledToOthers: cancelledRecipients - cancelledTo.length,
    refusedToOthers: recipients - to.length,
  };
}
