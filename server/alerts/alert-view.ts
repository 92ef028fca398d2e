import type { AlertTopic, AlertWords } from '#server/core/alert.ts';
import { ALERTS, type AlertKind, type AlertSign, isLasting } from '#server/core/alerts.ts';
import { sentToText } from '#server/core/phone-text.ts';
import { planEndedText } from '#server/core/plan-end.ts';
import { reasonIn } from '#server/requests/unsent-requests.ts';
import { settings } from '#server/settings.ts';

/** An alert as it is stored, with the number that it is about. */
interface StoredAlert {
  kind: AlertKind;
  happenedAt: Date;
  /** For mails only: other pages are those of the account. */
  accountName?: string;
  numberLabel: string | null;
  phoneNumber: string | null;
  detail: string | null;
  /** How many messages wait on its number, and how many are scheduled on it; for mails only. */
  waiting?: number;
  scheduled?: number;
  /** How many requests were refused while it was not connected, for mails only, or while the plan did not work. */
  refused?: number | null;
  /** Some of its recipients as they were sent, how many there are, and the most frequent response. */
  to?: readonly string[] | null;
  recipients?: number | null;
  answer?: string | null;
  /** Up to when refused requests are counted, in this time zone. */
  countedUntil: Date;
  timeZone: string | null;
  /** How many messages became unknown, for mails about an outage's end and about a restore only. */
  unknown?: number | null;
  /** How many messages a plan's end, or a change of the phone number, cancelled. */
  cancelled?: number | null;
  cancelledTo?: readonly string[] | null;
  cancelledRecipients?: number | null;
  /** How many numbers the plan includes; for mails only. */
  numbersIncluded?: number | null;
}

export interface AlertSummary extends AlertWords {
  id: string;
  kind: AlertKind;
  topic: AlertTopic;
  sign: AlertSign;
  happenedAt: Date;
  /** Whether the state that the alert describes still lasts; false for an event. */
  open: boolean;
  /** When that state ended; null while it lasts, and for an event. */
  overAt: Date | null;
}

export function summaryOf(
  alert: Omit<StoredAlert, 'countedUntil'> & { id: string; happenedAt: Date; endedAt: Date | null },
): AlertSummary {
  const { id, kind, happenedAt, endedAt } = alert;
  const { topic, sign } = ALERTS[kind];
  const lasts = isLasting(kind);
  return {
    ...{ id, kind, topic, sign, happenedAt },
    open: lasts && endedAt === null,
    overAt: lasts ? endedAt : null,
    ...wordsOf({ ...alert, countedUntil: happenedAt }),
  };
}

/** What an alert says, in the mail and in the dashboard. `contact`: whom the reader can ask. */
export function wordsOf(
  {
    kind,
    happenedAt,
    accountName,
    numberLabel,
    phoneNumber,
    detail,
    waiting,
    scheduled,
    refused,
    unknown,
    to,
    recipients,
    answer,
    countedUntil,
    timeZone,
    cancelled,
    cancelledTo,
    cancelledRecipients,
    numbersIncluded,
  }: StoredAlert,
  contact = '',
): AlertWords {
  const zone = timeZone ?? settings.timeZone;
  return ALERTS[kind].words({
    number: numberLabel || (phoneNumber ? maskedPhone(phoneNumber) : 'A number'),
    detail,
    waiting: waiting ?? null,
    scheduled: scheduled ?? 0,
    refused: refused ?? null,
    unknown: unknown ?? null,
    ...{ account: accountName ?? '', at: planEndedText(happenedAt, settings.timeZone) },
    timeZone: settings.timeZone,
    refusedTo: peopleOf(to, recipients),
    cancelledTo: peopleOf(cancelledTo, cancelledRecipients),
    refusedAnswer: reasonIn(answer ?? null),
    countedUntil: clockText(countedUntil, zone),
    contact,
    cancelled: cancelled ?? null,
    numbersIncluded: numbersIncluded ?? null,
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
