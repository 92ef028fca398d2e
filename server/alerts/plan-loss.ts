import type { AccountScope } from '#server/platform/db/context.ts';
import { findPlanLoss } from './queries/alerts.ts';

/** For so long after a plan works again, its account sees what was not sent. */
const SHOWN_DAYS = 7;

/**
 * What the account's plan did not send at its last end and since: recipients of messages and of requests, some of
 * each. Null if nothing, or if the plan works for long.
 */
export async function planLoss({ database, accountId }: AccountScope) {
  const found = await findPlanLoss(database.db, { accountId, days: SHOWN_DAYS });
  if (!found) return null;
  const { since, over, loss } = found;
  const { cancelled, cancelledTo, cancelledRecipients, to, recipients } = loss;
  const refused = loss.refused ?? 0;
  if (cancelled + refused === 0) return null;
  return {
    since,
    /** The plan works again. */
    over,
    ...{ cancelled, cancelledTo, refused, refusedTo: to },
    /** How many other recipients there are. */
    cancelledToOthers: cancelledRecipients - cancelledTo.length,
    refusedToOthers: recipients - to.length,
  };
}
