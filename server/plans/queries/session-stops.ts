import { sql } from 'drizzle-orm';
import { LINK_KEPT_DAYS } from '#server/core/access.ts';
import { SESSION_STOP_CODES } from '#server/core/number/cause.ts';
import { TRIAL } from '#server/core/trial.ts';
import type { Database } from '#server/platform/db/client.ts';
import { settings } from '#server/settings.ts';
import { oldestKeptPlan } from './today.ts';

/**
 * Why the session of a number `n` must stop, as the code of its cause; null if it may run. Its account's plan ended
 * long ago, or it is tried without a plan and was not used for a while.
 */
export function sessionStop() {
  const idleMinutes = settings.trial ? TRIAL.idleMinutes : 0;
  return sql<string | null>`case
    when exists (select from subscriptions s where s.account_id = n.account_id and (s.paid_until < ${oldestKeptPlan()}
      or s.ended_at < clock_timestamp() - ${LINK_KEPT_DAYS} * interval '1 day')) then 'plan_ended'
    when n.trial_active_at < clock_timestamp() - ${idleMinutes} * interval '1 minute'
      and not exists (select from subscriptions s where s.account_id = n.account_id) then 'trial_idle'
    end`;
}

/** This worker's numbers whose sessions must stop. */
export async function findToStop(database: Database, params: { workerId: string }): Promise<string[]> {
  // SQL, because it shares the condition with the claim of leases.
  const rows = await database.db.run<{ numberId: string }>(sql`
    select n.id as "numberId" from leases l join numbers n on n.id = l.number_id
    where l.worker_id = ${params.workerId} and n.intent = 'run' and ${sessionStop()} is not null`);
  return rows.map(({ numberId }) => numberId);
}

/** Marks numbers that no worker holds as stopped, and removes the mark when they may run again. */
export async function markStopped(database: Database): Promise<void> {
  // One statement, so that a state never changes without its entry in the history.
  await database.db.run(sql`
    with due as (
      select n.id, ${sessionStop()} as stop
      from numbers n join leases l on l.number_id = n.id
      where n.intent = 'run' and n.status <> 'BLOCKED' and (l.worker_id is null or l.expires_at <= clock_timestamp())
        and ${sessionStop()} is distinct from
          case when n.cause ->> 'code' = any(${sql.param(SESSION_STOP_CODES as string[])}) then n.cause ->> 'code' end
      for no key update of n skip locked
    ), marked as (
      update numbers n set status = 'RECONNECTING', cause = case when due.stop is not null then jsonb_build_object('code', due.stop) end, moving_until = null, status_since = clock_timestamp()
      from due where n.id = due.id returning n.id, n.cause
    )
    insert into number_events (number_id, status, cause) select id, 'RECONNECTING', cause from marked`);
}
