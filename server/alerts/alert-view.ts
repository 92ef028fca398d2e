import type { Alert, AlertWords } from '#server/core/alert.ts';
import { ALERTS, parseFacts } from '#server/core/alerts.ts';
import { sentToText } from '#server/core/phone-text.ts';
import { planEndedText } from '#server/core/plan-end.ts';
import { reasonIn } from '#server/requests/unsent-requests.ts';
import { settings } from '#server/settings.ts';
import { KINDS } from './alert-kinds.ts';
import type { DueMail } from './queries/alert-mails.ts';

/** What was read of an alert: for a mail everything, for a page what it shows. */
type StoredAlert = Pick<DueMail, 'kind' | 'happenedAt' | 'numberLabel' | 'phoneNumber' | 'facts'> &
  Pick<DueMail, 'countedUntil' | 'timeZone'> &
  Partial<DueMail>;

export type AlertSummary = ReturnType<typeof summaryOf>;

export function summaryOf(alert: Omit<StoredAlert, 'countedUntil'> & { id: string; endedAt: Date | null }) {
  const { id, kind, happenedAt, endedAt } = alert;
  const { topic, sign, lasts, state = null } = KINDS[kind];
  return {
    ...{ id, kind, topic, sign, happenedAt },
    /** The state of its number that it is about; null for another subject. */
    state,
    /** Whether the state that the alert describes still lasts; false for an event. */
    open: lasts !== undefined && endedAt === null,
    /** When that state ended; null while it lasts, and for an event. */
    overAt: lasts ? endedAt : null,
    ...wordsOf({ ...alert, countedUntil: happenedAt }),
  };
}

/** What an alert says, in the mail and in the dashboard. `contact`: whom the reader can ask. */
export function wordsOf(alert: StoredAlert, contact = ''): AlertWords {
  const { numberLabel, phoneNumber, waiting = null, scheduled = 0, refused = null } = alert;
  const { unknown = null, cancelled = null, numbersIncluded = null } = alert;
  const kind: Alert = ALERTS[alert.kind];
  return kind.words({
    ...parseFacts(alert.kind, alert.facts),
    number: numberLabel || (phoneNumber ? maskedPhone(phoneNumber) : 'A number'),
    ...{ waiting, scheduled, refused, unknown, cancelled, numbersIncluded, contact },
    account: alert.accountName ?? '',
    at: planEndedText(alert.happenedAt, settings.timeZone),
    timeZone: settings.timeZone,
    refusedTo: peopleOf(alert.to, alert.recipients),
    cancelledTo: peopleOf(alert.cancelledTo, alert.cancelledRecipients),
    refusedAnswer: reasonIn(alert.answer ?? null),
    countedUntil: clockText(
      KINDS[alert.kind].countedWhenRaised ? alert.happenedAt : alert.countedUntil,
      alert.timeZone ?? settings.timeZone,
    ),
    graceDays: settings.graceDays,
    webhookRetentionDays: settings.webhookRetentionDays,
  });
}

/** `+491511, +491512 and 3 more`; empty without any. */
function peopleOf(to: readonly string[] | null | undefined, all: number | null | undefined): string {
  if (!to || to.length === 0) return '';
  const others = (all ?? 0) - to.length;
  return `${to.map(sentToText).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** `Saturday, 21 November 2026 at 04:15 CET (Europe/Berlin)` */
export function timeText(at: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
  return timeZone === 'UTC' ? text : `${text} (${timeZone})`;
}

/** `04:15 CET` */
const clockText = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    ...({ timeZone, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const),
  }).format(at);

/** A phone number whose middle is hidden: +49 … 7386. */
function maskedPhone(digits: string): string {
  return `+${digits.slice(0, 2)} … ${digits.slice(-4)}`;
}
