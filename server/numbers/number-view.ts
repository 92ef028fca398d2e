import { type Access, accessOf } from '#server/core/access.ts';
import { type Network, type NumberStatus, shownStatus } from '#server/core/number-state.ts';
import { pick } from '#server/core/pick.ts';
import { type SessionStop, sessionStopOf } from '#server/core/session-stop.ts';
import { stateOf } from '#server/plans/plan-of.ts';
import { settings } from '#server/settings.ts';
import type { NumberRow } from './queries/numbers.ts';

/** A number as its owner sees it. */
export interface NumberView {
  id: string;
  label: string;
  network: Network;
  /** Digits of the phone that is linked, or was last; null when never linked. */
  phoneNumber: string | null;
  /** Digits of the virtual phone; null on the real network. */
  sandboxPhone: string | null;
  /** The state that readers see (`shownStatus`). */
  status: NumberStatus;
  statusReason: string | null;
  statusSince: Date;
  /** While WhatsApp refuses the number until a known time: the time left until it connects again automatically. */
  blockedLeftMs: number | null;
  /** Its session is on a server that does not answer: it waits for that server, or can be linked again. */
  stranded: boolean;
  /** Why its session is stopped on purpose: a renewed plan starts it again, or the use of a trial number. */
  sessionStop: SessionStop | null;
  /** It is tried without a plan: it sends from the dashboard only. */
  onTrial: boolean;
  sendIntervalSeconds: number;
  /** New contacts are limited by a budget. */
  protected: boolean;
  /** Held by its owner. */
  held: boolean;
  /** Digits of the phone that its owner named as the replacement of the linked one. */
  replacementPhone: string | null;
  /** False if it exceeds the numbers that the plan includes. A number that was never linked does not count. */
  withinPlan: boolean;
  /** Whether the number sends for the dashboard, and if not, why. */
  access: Access;
  /** Messages that wait. */
  waiting: number;
  /** How many of them are set aside, until its owner sends or discards them. */
  toDecide: number;
  /** How many of those are scheduled for later: they stay scheduled if they are sent. */
  toDecideScheduled: number;
  /** How many of them are kept back because their recipients are new, and when the first may be sent. */
  keptBack: number;
  keptBackUntil: Date | null;
  /** How many of them are scheduled for later. */
  scheduled: number;
  /** WhatsApp, or the pause after its refusals, allows no new contacts now. */
  closedToNew: boolean;
  createdAt: Date;
}

export function toNumberView(row: NumberRow): NumberView {
  return {
    ...pick(row, 'id', 'label', 'network', 'phoneNumber', 'sandboxPhone'),
    status: shownStatus(row),
    statusReason: row.suspended ? row.suspendedReason : row.statusReason,
    ...pick(row, 'statusSince', 'blockedLeftMs', 'stranded'),
    sessionStop: shownStatus(row) === 'RECONNECTING' ? sessionStopOf(row.statusReason) : null,
    onTrial: isOnTrial(row),
    ...pick(row, 'sendIntervalSeconds', 'protected', 'held', 'replacementPhone'),
    withinPlan: isWithinPlan(row),
    access: accessOfRow(row),
    ...pick(row, 'waiting', 'toDecide', 'toDecideScheduled', 'keptBack'),
    keptBackUntil: row.keptBackMs === null ? null : new Date(Date.now() + row.keptBackMs),
    ...pick(row, 'scheduled', 'closedToNew', 'createdAt'),
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
export function accessOfRow(row: NumberRow, now = new Date()): Access {
  if (isOnTrial(row) && !row.accountSuspended) return 'ok';
  const { numbersIncluded, paidUntil, planEndedAt: endedAt } = row;
  return accessOf({
    suspended: row.accountSuspended,
    plan: stateOf({ numbersIncluded, paidUntil, endedAt }, now),
    withinPlan: isWithinPlan(row),
  });
}
