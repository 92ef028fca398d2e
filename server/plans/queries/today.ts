import { sql } from 'drizzle-orm';
import { LINK_KEPT_DAYS, minutesAhead } from '#server/core/access.ts';
import { settings } from '#server/settings.ts';

/**
 * Today in the installation's time zone, by the database's clock. A process whose own clock is wrong must end
 * no plan. The zone is not named, because PostgreSQL may not know each zone that the settings accept.
 */
export function today() {
  const minutes = minutesAhead(settings.timeZone, new Date());
  return sql<string>`(clock_timestamp() + ${minutes} * interval '1 minute')::date`;
}

const daysBefore = (days: number) => sql<string>`(${today()} - ${days}::int)`;

/** A plan that was paid until a day before this one no longer works. */
export const oldestWorkingPlan = () => daysBefore(settings.graceDays);

/** The sessions of a plan that was paid until a day before this one are stopped. */
export const oldestKeptPlan = () => daysBefore(settings.graceDays + LINK_KEPT_DAYS);
