import { dateIn, oldestWorking } from '#server/core/access.ts';
import { settings } from '#server/settings.ts';

/** A plan that was paid until a day before this one works no more today, in the installation's time zone. */
export function oldestWorkingPlan(): string {
  return oldestWorking(dateIn(settings.timeZone, new Date()), settings.graceDays);
}
