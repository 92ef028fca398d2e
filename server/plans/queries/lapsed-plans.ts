import { dateIn, LINK_KEPT_DAYS, oldestKept, PLAN_STOPPED } from '#server/core/access.ts';
import type { Database } from '#server/platform/db/client.ts';
import { settings } from '#server/settings.ts';

/** A condition on a number `n`: its account's plan ended so long ago that its session is stopped. */
export function planLapsed(sql: Database['sql']) {
  const oldest = oldestKept(dateIn(settings.timeZone, new Date()), settings.graceDays);
  return sql`exists (select from subscriptions s where s.account_id = n.account_id and (s.paid_until < ${oldest}::date
    or s.ended_at < clock_timestamp() - ${LINK_KEPT_DAYS} * interval '1 day'))`;
}

/** This worker's numbers whose sessions must stop. */
export async function findLapsed(database: Database, params: { workerId: string }): Promise<string[]> {
  // SQL, because it shares the condition with the claim of leases.
  const rows = await database.sql<{ numberId: string }[]>`
    select n.id as "numberId" from leases l join numbers n on n.id = l.number_id
    where l.worker_id = ${params.workerId} and n.intent = 'run' and ${planLapsed(database.sql)}`;
  return rows.map(({ numberId }) => numberId);
}

/** Marks numbers that no worker holds as stopped by their plan, and removes the mark when the plan is renewed. */
export async function markLapsed(database: Database): Promise<void> {
  // One statement, so that a state never changes without its entry in the history.
  await database.sql`
    with due as (
      select n.id, case when ${planLapsed(database.sql)} then ${PLAN_STOPPED} end as reason
      from numbers n join leases l on l.number_id = n.id
      where n.intent = 'run' and n.status <> 'BLOCKED' and (l.worker_id is null or l.expires_at <= clock_timestamp())
        and ${planLapsed(database.sql)} <> (n.status_reason is not distinct from ${PLAN_STOPPED})
      for update of n skip locked
    ), marked as (
      update numbers n set status = 'RECONNECTING', status_reason = due.reason, moving_until = null, status_since = clock_timestamp()
      from due where n.id = due.id returning n.id, n.status_reason
    )
    insert into number_events (number_id, status, reason) select id, 'RECONNECTING', status_reason from marked`;
}
