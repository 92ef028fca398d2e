import { addDays } from './access.ts';

const dayLong = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A day in words: `30 November 2026`. */
export const longDay = (date: string) => dayLong.format(new Date(`${date}T00:00:00Z`));

/**
 * When a plan ends that was paid until `paidUntil`: at midnight after its days of grace, by the installation's time zone.
 * `3 December 2026 at 00:00 (Europe/Berlin)`
 */
export function planEndText(paidUntil: string, of: { graceDays: number; timeZone: string }): string {
  return `${longDay(addDays(paidUntil, of.graceDays + 1))} at 00:00 (${of.timeZone})`;
}

/** When a plan ended, in the same words. */
export function planEndedText(at: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    at,
  );
  return `${text} (${timeZone})`;
}
