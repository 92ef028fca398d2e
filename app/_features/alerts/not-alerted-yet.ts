import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import type { NumberStatus } from '#server/core/number-state.ts';

const ALERT_ABOUT: Partial<Record<NumberStatus, AlertKind>> = {
  LOGGED_OUT: 'logged_out',
  BLOCKED: 'blocked',
  CONFLICT: 'conflict',
  SUSPENDED: 'suspended',
  RECONNECTING: 'disconnected',
};

/** Numbers that are not well or need a decision, and whose latest alert is about something else. */
export function notAlertedYet(
  numbers: readonly NumberItem[],
  alerts: readonly { kind: AlertKind; numberId: string | null }[],
): NumberItem[] {
  return numbers.filter((number) => {
    const about = number.toDecide > 0 ? 'to_decide' : ALERT_ABOUT[number.status];
    if (!about || number.phoneNumber === null || number.sessionStop) return false;
    return alerts.find(({ numberId }) => numberId === number.id)?.kind !== about;
  });
}
