import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { AlertTopic } from '#server/core/alert.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import type { NumberStatus } from '#server/core/number-state.ts';

const UNWELL: readonly NumberStatus[] = ['LOGGED_OUT', 'BLOCKED', 'CONFLICT', 'SUSPENDED', 'RECONNECTING'];

interface AlertState {
  kind: AlertKind;
  topic: AlertTopic;
  /** The state of its number that it is about. */
  state: NumberStatus | null;
  numberId: string | null;
  open: boolean;
}

/** Alerts whose cause still exists. Alerts about the plan are left out: they announce an end, some for a week. */
export const openAlerts = <Alert extends AlertState>(alerts: readonly Alert[]): Alert[] =>
  alerts.filter(({ open, topic }) => open && topic !== 'plan');

/** Numbers that are not well or need a decision now, and have no alert about it yet. */
export function notYetRaised(numbers: readonly NumberItem[], alerts: readonly AlertState[]): NumberItem[] {
  return numbers.filter(({ id, status, toDecide, phoneNumber, sessionStop }) => {
    if (phoneNumber === null || sessionStop || !(toDecide > 0 || UNWELL.includes(status))) return false;
    const own = alerts.filter(({ numberId, open }) => open && numberId === id);
    return !own.some(({ kind, state }) => (toDecide > 0 ? kind === 'to_decide' : state === status));
  });
}
