import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { planWorks } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { because } from '#server/core/message-outcome.ts';
import { notFound } from '#server/core/not-found.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { lockNumbers, notifyOfAccount } from '#server/numbers/queries/numbers.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { type AccountContext, inside } from '#server/platform/db/context.ts';
import { cancelOnExcess } from './keep-numbers.ts';
import { requireNumbersIncluded } from './numbers-included.ts';
import { planOf, type SubscriptionView } from './plan-of.ts';
import { answerPlanRequest } from './queries/plan-requests.ts';
import { dayAfter, endSubscription, insertPayment, putSubscription } from './queries/subscriptions.ts';
import { requireSeen, type SeenPlan } from './seen-plan.ts';

/** More is a mistake, and the column could not hold much more. */
const AMOUNT_CENTS_MAX = 999_999_999;

export interface PlanActivation {
  numbersIncluded: number;
  /** Last day paid for, `YYYY-MM-DD`, inclusive. A day in the past gives an expired plan. */
  paidUntil: string;
  amountCents?: number | null;
  note?: string | undefined;
  /** The day on which the payment arrived, `YYYY-MM-DD`. */
  paidOn?: string | null;
  /** The reference of the bank or the invoice. */
  reference?: string;
  seen?: SeenPlan;
  /** Refuses a last day with which the plan would end at once. */
  mustWork?: boolean;
}

/**
 * Enables, extends or shrinks an account's plan, records the payment and closes the request for a plan. If the
 * plan includes fewer numbers than are in use, cancels the waiting messages of the excess numbers. Throws
 * `not_found`, `invalid_parameters`, and `already_exists` for another plan than the one seen. `forbidden` if the plan
 * `mustWork` and would not.
 */
export async function activatePlan(
  context: AccountContext,
  terms: PlanActivation,
): Promise<SubscriptionView> {
  return context.database.db.transaction((tx) => activateInside(tx, context, terms));
}

/** {@link activatePlan} in an open transaction. */
export async function activateInside(
  tx: Tx,
  { accountId, actor }: Omit<AccountContext, 'database'>,
  input: PlanActivation,
): Promise<SubscriptionView> {
  const { numbersIncluded, paidUntil, amountCents = null, note, paidOn = null } = input;
  const { reference, seen, mustWork = false } = input;
  requireTerms(input);
  if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
  await requireSeen(inside(tx, { accountId }), seen);
  await lockNumbers(tx, { accountId });
  const terms = { accountId, numbersIncluded, paidUntil, note: note?.trim() || null };
  await putSubscription(tx, terms);
  await notifyOfAccount(tx, { accountId });
  const paymentId = newId('payment');
  await insertPayment(tx, {
    ...terms,
    id: paymentId,
    amountCents,
    paidOn,
    reference: reference?.trim() || null,
    recordedBy: actor.kind === 'user' ? actor.userId : null,
  });
  await answerPlanRequest(tx, { accountId, paymentId });
  const plan = await planOf(inside(tx, { accountId }));
  if (mustWork && !planWorks(plan.state)) throw new AppError('forbidden', wouldEnd(paidUntil));
  const cancelled = planWorks(plan.state)
    ? await cancelOnExcess(tx, { accountId })
    : await cancelWaiting(tx, { accountId, ...because('plan_ended', 'ended') });
  await audit(tx, {
    actor,
    accountId,
    action: 'plan.activate',
    target: accountId,
    detail: { numbersIncluded, paidUntil, amountCents, cancelled },
  });
  return plan;
}

/** Enables a plan that lasts so many days, in an open transaction. */
export async function activateForDays(
  tx: Tx,
  context: Omit<AccountContext, 'database'>,
  { numbersIncluded, days }: { numbersIncluded: number; days: number },
): Promise<SubscriptionView> {
  return activateInside(tx, context, { numbersIncluded, paidUntil: await dayAfter(tx, { days }) });
}

/**
 * Ends an account's plan and cancels its waiting messages. Repeating it changes nothing. Throws `not_found`, and
 * `already_exists` for another plan than the one seen.
 */
export async function deactivatePlan(
  context: AccountContext,
  { seen }: { seen?: SeenPlan } = {},
): Promise<SubscriptionView> {
  const { database, accountId, actor } = context;
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    await requireSeen(inside(tx, context), seen);
    await lockNumbers(tx, { accountId });
    if (await endSubscription(tx, { accountId })) {
      await notifyOfAccount(tx, { accountId });
      const cancelled = await cancelWaiting(tx, { accountId, ...because('plan_ended', 'ended') });
      await audit(tx, {
        actor,
        accountId,
        action: 'plan.deactivate',
        target: accountId,
        detail: { cancelled },
      });
    }
    return planOf(inside(tx, context));
  });
}

const wouldEnd = (paidUntil: string) =>
  `${paidUntil} is past, so the plan would end at once and its waiting messages would be cancelled. Nothing was changed. Correct the day, or run the command again with --end-now.`;

function requireTerms({ numbersIncluded, paidUntil, amountCents, paidOn }: PlanActivation): void {
  requireNumbersIncluded(numbersIncluded);
  if (!isDate(paidUntil))
    throw new AppError('invalid_parameters', 'The last day paid for must be a date such as 2027-01-31.');
  if (typeof paidOn === 'string' && !isDate(paidOn))
    throw new AppError('invalid_parameters', 'The day of the payment must be a date such as 2027-01-31.');
  if (typeof amountCents === 'number' && (!Number.isInteger(amountCents) || amountCents < 0))
    throw new AppError('invalid_parameters', 'The amount must be whole cents.');
  if (typeof amountCents === 'number' && amountCents > AMOUNT_CENTS_MAX)
    throw new AppError('invalid_parameters', 'The amount must be less than 10 million euros.');
}

/** Whether the text is a day of the calendar; 2027-02-30 is not. */
function isDate(text: string): boolean {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
