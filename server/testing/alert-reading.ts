import type { AlertReading } from '#server/core/alert.ts';

/** An alert about the number `Shop` of which nothing else is known. */
export const READING: AlertReading<never> = {
  ...{ facts: null, legacy: null, number: 'Shop', account: '', at: '', timeZone: 'UTC', contact: '' },
  ...{ waiting: null, scheduled: 0, refused: null, unknown: null, cancelled: null, numbersIncluded: null },
  ...{ refusedTo: '', cancelledTo: '', refusedAnswer: null, countedUntil: '14:05 UTC' },
  ...{ graceDays: 7, webhookRetentionDays: 30 },
};
