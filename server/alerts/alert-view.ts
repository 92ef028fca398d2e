import { addDays } from '#server/core/access.ts';
import type { AlertKind } from '#server/core/alert.ts';
import { type AlertWords, alertWords, maskedPhone } from '#server/core/alert-words.ts';
import { settings } from '#server/settings.ts';

/** An alert as it is stored, with the number that it is about. */
interface StoredAlert {
  kind: AlertKind;
  numberLabel: string | null;
  phoneNumber: string | null;
  detail: string | null;
  /** How many messages wait on its number; only where that is asked. */
  waiting?: number;
}

const dayLong = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const day = (date: string) => dayLong.format(new Date(`${date}T00:00:00Z`));

/** What an alert says, in the mail and in the dashboard. */
export function wordsOf(alert: StoredAlert): AlertWords {
  const { kind, detail, numberLabel, phoneNumber } = alert;
  const ofPlan = kind.startsWith('plan_') && detail !== null;
  return alertWords({
    kind,
    number: numberLabel || (phoneNumber ? maskedPhone(phoneNumber) : 'A number'),
    reason: detail,
    waiting: alert.waiting ?? null,
    cancelled: kind === 'waiting_cancelled' ? Number(detail) : 0,
    unclear: kind === 'failures' ? unclearOf(detail) : null,
    paidUntil: ofPlan ? day(detail) : '',
    worksUntil: ofPlan ? day(addDays(detail, settings.graceDays)) : '',
  });
}

/** Alerts of earlier versions hold only how many messages there were. */
function unclearOf(detail: string | null): number | null {
  const [, unclear] = /^(\d+) unknown$/.exec(detail ?? '') ?? [];
  return unclear === undefined ? null : Number(unclear);
}
