import { LINK_KEPT_DAYS, minutesAhead } from '#server/core/access.ts';
import { settings } from '#server/settings.ts';

/**
 * SQL text: today in the installation's time zone, by the database's clock. A process whose own clock is wrong must end
 * no plan. The zone is not named, because PostgreSQL may not know each zone that the settings accept.
 */
export function today(): string {
  const minutes = minutesAhead(settings.timeZone, new Date());
  return `(clock_timestamp() + interval '${minutes} minutes')::date`;
}

/** SQL text: a plan that was paid until a day before this one no longer works. */
export const oldestWorkingPlan = (): string => `(${today()} - ${settings.graceDays})`;

/** SQL text: the sessions of a plan that was paid until a day before this one are stopped. */
export const oldestKeptPlan = (): string => `(${today()} - ${settings.graceDays + LINK_KEPT_DAYS})`;
