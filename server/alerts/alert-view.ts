import type { AlertTopic, AlertWords } from '#server/core/alert.ts';
import { ALERTS, type AlertKind, type AlertSign, isLasting } from '#server/core/alerts.ts';
import { settings } from '#server/settings.ts';

/** An alert as it is stored, with the number that it is about. */
interface StoredAlert {
  kind: AlertKind;
  numberLabel: string | null;
  phoneNumber: string | null;
  detail: string | null;
  /** How many messages wait on its number, and how many are scheduled on it; for mails only. */
  waiting?: number;
  scheduled?: number;
  /** How many requests were refused while it was not connected; for mails only. */
  refused?: number | null;
  /** How many messages became unknown or expired, for mails about an outage's end and about a restore only. */
  unknown?: number | null;
  expired?: number | null;
  /** How many messages the plan's end cancelled before the payment; for mails only. */
  cancelled?: number | null;
  /** How many numbers the plan includes; for mails only. */
  numbersIncluded?: number | null;
}

/** An alert in a list. */
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
  alert: StoredAlert & { id: string; happenedAt: Date; endedAt: Date | null },
): AlertSummary {
  const { id, kind, happenedAt, endedAt } = alert;
  const { topic, sign } = ALERTS[kind];
  const lasts = isLasting(kind);
  return {
    ...{ id, kind, topic, sign, happenedAt },
    open: lasts && endedAt === null,
    overAt: lasts ? endedAt : null,
    ...wordsOf(alert),
  };
}

/** What an alert says, in the mail and in the dashboard. */
export function wordsOf({
  kind,
  numberLabel,
  phoneNumber,
  detail,
  waiting,
  scheduled,
  refused,
  unknown,
  expired,
  cancelled,
  numbersIncluded,
}: StoredAlert): AlertWords {
  return ALERTS[kind].words({
    number: numberLabel || (phoneNumber ? maskedPhone(phoneNumber) : 'A number'),
    detail,
    waiting: waiting ?? null,
    scheduled: scheduled ?? 0,
    refused: refused ?? null,
    unknown: unknown ?? null,
    expired: expired ?? null,
    cancelled: cancelled ?? null,
    numbersIncluded: numbersIncluded ?? null,
    graceDays: settings.graceDays,
    webhookRetentionDays: settings.webhookRetentionDays,
  });
}

/** A phone number whose middle is hidden: +49 … 7386. */
export function maskedPhone(digits: string): string {
  return `+${digits.slice(0, 2)} … ${digits.slice(-4)}`;
}
