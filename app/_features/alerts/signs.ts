import { NUMBER_SIGNS } from '#app/_components/ui/states.tsx';
import type { Shape, Tone } from '#app/_components/ui/status-icon.tsx';
import type { AlertKind } from '#server/core/alert.ts';

/** The icon and tone of each kind of alert. */
export const ALERT_SIGNS: Record<AlertKind, { tone: Tone; shape: Shape }> = {
  logged_out: NUMBER_SIGNS.LOGGED_OUT,
  blocked: NUMBER_SIGNS.BLOCKED,
  conflict: NUMBER_SIGNS.CONFLICT,
  suspended: NUMBER_SIGNS.SUSPENDED,
  health: { tone: 'warn', shape: 'warning' },
  disconnected: { tone: 'fail', shape: 'turning' },
  recovered: NUMBER_SIGNS.CONNECTED,
  to_decide: { tone: 'warn', shape: 'question' },
  failures: { tone: 'fail', shape: 'cross' },
  build_changed: NUMBER_SIGNS.BLOCKED,
  disk_low: { tone: 'warn', shape: 'cross' },
  disk_full: { tone: 'fail', shape: 'cross' },
  disk_recovered: NUMBER_SIGNS.CONNECTED,
  webhook_off: { tone: 'fail', shape: 'cross' },
  plan_7_days: { tone: 'warn', shape: 'clock' },
  plan_1_day: { tone: 'warn', shape: 'clock' },
  plan_grace: { tone: 'warn', shape: 'clock' },
  plan_paid: { tone: 'ok', shape: 'done' },
  waiting_cancelled: { tone: 'fail', shape: 'cross' },
  plan_ended: { tone: 'fail', shape: 'clock' },
};
