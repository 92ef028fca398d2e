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

/** A number that is not well or needs a decision, and the alert about it. */
export interface UnderWay<Alert> {
  number: NumberItem;
  /** Null until it is raised. */
  alert: Alert | null;
}

/** Numbers that are not well or need a decision now. `alerts`: the newest first. */
export function underWay<Alert extends { kind: AlertKind; numberId: string | null }>(
  numbers: readonly NumberItem[],
  alerts: readonly Alert[],
): UnderWay<Alert>[] {
  return numbers.flatMap((number) => {
    const about = number.toDecide > 0 ? 'to_decide' : ALERT_ABOUT[number.status];
    if (!about || number.phoneNumber === null || number.sessionStop) return [];
    const latest = alerts.find(({ numberId }) => numberId === number.id);
    return [{ number, alert: latest?.kind === about ? latest : null }];
  });
}
