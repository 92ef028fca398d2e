import type { z } from 'zod';
import type { NumberSign } from './number-sign.ts';

// Pages import this file, so it takes only the type from `zod`.

/** What the words of an alert are made of: the facts that are stored, and what is read with them. */
export interface AlertReading<Facts = unknown> {
  /** What was stored; null for a kind without facts, and for an alert of another version. */
  facts: Facts | null;
  /** A sentence of an earlier version instead. It is only shown. */
  legacy: string | null;
  /** The account's name; empty where the reader sees it anyway. */
  account: string;
  /** When it happened, by the installation's time zone, and that zone: by it plans end. */
  at: string;
  timeZone: string;
  /** Its label, or its phone number with the middle hidden; empty for an alert that concerns no number. */
  number: string;
  /** How many messages wait on the number now, without scheduled ones; null if it is not known. */
  waiting: number | null;
  /** How many messages are scheduled for later on the number now. */
  scheduled: number;
  /** How many requests were refused because the number was not connected, or the plan did not work; null if not known. */
  refused: number | null;
  /** Some recipients of the refused requests and how many others there are, as a person reads them; empty if not known. */
  refusedTo: string;
  /** The most frequent answer to them; null if it is not kept. */
  refusedAnswer: string | null;
  /** The time of day up to which refused requests are counted. */
  countedUntil: string;
  /** Whom a member can ask, such as a name and an address; empty if nobody is named. */
  contact: string;
  /** How many messages became unknown during the outage that has ended, or by a restore; null if it is not known. */
  unknown: number | null;
  /** How many messages the plan's end, or a change of the phone number, cancelled; null if it is not known. */
  cancelled: number | null;
  /** Their recipients, as those of refused requests. */
  cancelledTo: string;
  /** How many numbers the account's plan includes; null if it is not known. */
  numbersIncluded: number | null;
  /** For how many days a plan works after the last day paid for. */
  graceDays: number;
  /** For how many days webhook events are kept at most. */
  webhookRetentionDays: number;
}

export interface AlertWords {
  title: string;
  /** What it means. */
  what: string;
  todo: string;
}

/** The administrator, with the contact where one is named. */
export const administrator = ({ contact }: Pick<AlertReading, 'contact'>): string =>
  contact === '' ? 'the administrator' : `the administrator (${contact})`;

/**
 * What alerts are about: a person chooses for each topic when its alerts are mailed. `server` is for
 * administrators.
 */
export const ALERT_TOPICS = ['numbers', 'api', 'plan', 'server'] as const;
export type AlertTopic = (typeof ALERT_TOPICS)[number];
/** When alerts are mailed: each at once, all of a day in one mail, or not at all. */
export const MAIL_TIMES = ['now', 'daily', 'never'] as const;
export type MailTime = (typeof MAIL_TIMES)[number];
/** A person's choices. A topic that is missing is mailed at once. */
export type MailTimes = Partial<Record<AlertTopic, MailTime>>;

/** An icon in the dashboard: that of a number's state, or its own. */
export type AlertSign =
  | NumberSign
  | { tone: 'ok' | 'warn' | 'fail'; shape: 'clock' | 'cross' | 'done' | 'question' | 'turning' | 'warning' };

/** The words of a kind of alert. Everything else is in `server/alerts/kinds`. */
export interface Alert {
  /** The form of its facts; absent if the kind says all. */
  facts?: z.ZodType;
  words(alert: AlertReading): AlertWords;
}

/** A kind of alert whose words are made of stored facts. */
export const stating = <Schema extends z.ZodType>(
  facts: Schema,
  words: (alert: AlertReading<z.infer<Schema>>) => AlertWords,
): { facts: Schema; words(alert: AlertReading<z.infer<Schema>>): AlertWords } => ({ facts, words });
