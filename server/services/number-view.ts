import { PLAN_STOPPED } from '#server/core/access.ts';
import { type Network, type NumberStatus, shownStatus } from '#server/core/number-state.ts';
import type { NumberRow } from '#server/store/numbers.ts';

/** A number as its owner sees it. */
export interface NumberView {
  id: string;
  label: string;
  network: Network;
  /** Digits of the phone that is linked, or was last; null when never linked. */
  phoneNumber: string | null;
  /** Digits of the virtual phone; null on the real network. */
  sandboxPhone: string | null;
  /** As a reader may be told. */
  status: NumberStatus;
  statusReason: string | null;
  statusSince: Date;
  /** Its session is on a server that does not answer: it waits for that, or can be linked anew. */
  stranded: boolean;
  /** Its plan ended so long ago that its session was stopped; renewing the plan starts it. */
  planStopped: boolean;
  sendIntervalSeconds: number;
  heldAt: Date | null;
  /** Held since it was linked anew: send what waited, or discard it? */
  heldToDecide: boolean;
  /** Digits of the phone that was named to take its phone's place. */
  replacementPhone: string | null;
  /** False when it is in excess of the numbers included. One that was never linked does not count. */
  withinPlan: boolean;
  /** Messages in its queue. */
  waiting: number;
  createdAt: Date;
}

export function toNumberView(row: NumberRow): NumberView {
  return {
    id: row.id,
    label: row.label,
    network: row.network,
    phoneNumber: row.phoneNumber,
    sandboxPhone: row.sandboxPhone,
    status: shownStatus(row),
    statusReason: row.suspended ? row.suspendedReason : row.statusReason,
    statusSince: row.statusSince,
    stranded: row.stranded,
    planStopped: shownStatus(row) === 'RECONNECTING' && row.statusReason === PLAN_STOPPED,
    sendIntervalSeconds: row.sendIntervalSeconds,
    heldAt: row.heldAt,
    heldToDecide: row.heldToDecide,
    replacementPhone: row.replacementPhone,
    withinPlan: isWithinPlan(row),
    waiting: row.waiting,
    createdAt: row.createdAt,
  };
}

/** Kept ones first, then those linked longest: as many as the plan includes are in. */
export function isWithinPlan(
  row: Pick<NumberRow, 'firstLinkedAt' | 'numbersBefore' | 'numbersIncluded'>,
): boolean {
  return row.firstLinkedAt === null || row.numbersBefore < row.numbersIncluded;
}
