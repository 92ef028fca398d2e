import {
  dateIn,
  PLAN_PRICE_EUROS_PER_MONTH,
  type PlanState,
  planEndsSoon,
  planState,
} from '#server/core/access.ts';
import { notFound } from '#server/core/not-found.ts';
import { TRIAL } from '#server/core/trial.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { findSubscription } from './queries/subscriptions.ts';
import { countDay } from './queries/trials.ts';

/** An account's plan as its owner and the administrator see it. */
export type SubscriptionView = Awaited<ReturnType<typeof planOf>>;

/** The plan of an account and how much of it is used. Throws `not_found`. */
export async function planOf({ database, accountId }: AccountScope, params: { now?: Date } = {}) {
  const row = await findSubscription(database.db, { accountId });
  if (!row) throw notFound('account');
  // By the database's clock, so that a process whose own clock is wrong ends no plan.
  const { now = row.now } = params;
  const state = stateOf(row, now);
  return {
    account: accountId,
    state,
    /** The account is suspended and cannot send, whatever its plan. */
    suspended: row.suspended,
    numbersIncluded: row.numbersIncluded ?? 0,
    numbersUsed: row.numbersUsed,
    /** Last day paid for, `YYYY-MM-DD` in the installation's time zone, inclusive; null without a plan. */
    paidUntil: row.paidUntil,
    /** It still works and ends within days, unless a payment is recorded. */
    endsSoon: planEndsSoon(state, row.paidUntil, dateIn(settings.timeZone, now)),
    price: PLAN_PRICE_EUROS_PER_MONTH,
    /** What is left of the trial; null with a plan, and where there are no trials. */
    trial:
      settings.trial && state === 'none' && !row.suspended ? await trialOf({ database, accountId }) : null,
  };
}

async function trialOf({ database, accountId }: AccountScope): Promise<{ messagesLeft: number }> {
  const sent = await countDay(database.db, { accountId });
  return { messagesLeft: Math.max(0, TRIAL.messagesPerDay - sent) };
}

/** The state of a stored plan at `now`, by the installation's time zone and days of grace. */
export function stateOf(row: { paidUntil: string | null; endedAt: Date | null }, now: Date): PlanState {
  const { paidUntil, endedAt } = row;
  const subscription = paidUntil === null ? null : { paidUntil, ended: endedAt !== null };
  return planState(subscription, dateIn(settings.timeZone, now), settings.graceDays);
}
