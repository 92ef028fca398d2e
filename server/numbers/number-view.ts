import { type Access, accessOf } from '#server/core/access.ts';
import { sessionStopOf } from '#server/core/number/cause.ts';
import { shownStatus } from '#server/core/number-state.ts';
import { pick } from '#server/core/pick.ts';
import { stateOf } from '#server/plans/plan-of.ts';
import { settings } from '#server/settings.ts';
import { causeText } from './cause-text.ts';
import type { NumberRow } from './queries/numbers.ts';

/** A number as its account sees it. */
export type NumberView = ReturnType<typeof toNumberView>;

export function toNumberView(row: NumberRow) {
  return {
    ...pick(row, 'id', 'label', 'network', 'phoneNumber', 'sandboxPhone'),
    /** The state that readers see (`shownStatus`). */
    status: shownStatus(row),
    /** Why it is in this state; null while it is suspended. */
    cause: row.suspended ? null : row.cause,
    /** The same as a sentence for its owner, or the administrator's words. */
    statusReason: row.suspended ? row.suspendedReason : causeText(row.cause),
    ...pick(row, 'statusSince', 'blockedLeftMs', 'stranded'),
    /** Why its session is stopped on purpose: a renewed plan starts it again, or the use of a trial number. */
    sessionStop: shownStatus(row) === 'RECONNECTING' ? sessionStopOf(row.cause) : null,
    /** It is tried without a plan: it sends from the dashboard only. */
    onTrial: isOnTrial(row),
    ...pick(row, 'sendIntervalSeconds', 'protected', 'held', 'replacementPhone'),
    /** False if it exceeds the numbers that the plan includes. A number that was never linked does not count. */
    withinPlan: isWithinPlan(row),
    /** Whether the number sends for the dashboard, and if not, why. */
    access: accessOfRow(row),
    ...pick(row, 'waiting', 'toDecide', 'toDecideScheduled', 'keptBack'),
    /** When the first message that is kept back may be sent. */
    keptBackUntil: row.keptBackMs === null ? null : new Date(Date.now() + row.keptBackMs),
    ...pick(row, 'scheduled', 'closedToNew', 'failing', 'createdAt'),
  };
}

/** Whether the account tries the number without a plan. */
export function isOnTrial(row: Pick<NumberRow, 'tried' | 'paidUntil'>): boolean {
  return settings.trial && row.tried && row.paidUntil === null;
}

/** Whether the plan includes the number. Kept numbers come first, then those linked longest. */
export function isWithinPlan(
  row: Pick<NumberRow, 'firstLinkedAt' | 'numbersBefore' | 'numbersIncluded' | 'tried' | 'paidUntil'>,
): boolean {
  return row.firstLinkedAt === null || isOnTrial(row) || row.numbersBefore < row.numbersIncluded;
}

/**
 * Whether a number sends for the dashboard, and if not, why. The API serves the same numbers, except those on
 * trial.
 */
export function accessOfRow(row: NumberRow): Access {
  if (isOnTrial(row) && !row.accountSuspended) return 'ok';
  const { paidUntil, planEndedAt: endedAt } = row;
  return accessOf({
    suspended: row.accountSuspended,
    plan: stateOf({ paidUntil, endedAt }, row.now),
    withinPlan: isWithinPlan(row),
  });
}
