import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { AlertTopic } from '#server/core/alert.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import type { NumberStatus } from '#server/core/number-state.ts';

const ALERT_ABOUT: Partial<Record<NumberStatus, AlertKind>> = {
  LOGGED_OUT: 'logged_out',
  BLOCKED: 'blocked',
  CONFLICT: 'conflict',
  SUSPENDED: 'suspended',
  RECONNECTING: 'disconnected',
};

interface AlertState {
  kind: AlertKind;
  topic: AlertTopic;
  numberId: string | null;
  open: boolean;
}

/** Alerts whose cause still exists. Alerts about the plan are left out: they announce an end, some for a week. */
export const openAlerts = <Alert extends AlertState>(alerts: readonly Alert[]): Alert[] =>
  alerts.filter(({ open, topic }) => open && topic !== 'plan');

/** Numbers that are not well or need a decision now, and have no alert about it yet. */
export function notYetRaised(numbers: readonly NumberItem[], alerts: readonly AlertState[]): NumberItem[] {
  return numbers.filter((number) => {
    const about = number.toDecide > 0 ? 'to_decide' : ALERT_ABOUT[number.status];
    if (!about || number.phoneNumber === null || number.sessionStop) return false;
    return !alerts.some(({ kind, numberId, open }) => open && kind === about && numberId === number.id);
  });
}
