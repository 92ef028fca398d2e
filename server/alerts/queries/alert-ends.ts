import { type SQL, sql } from 'drizzle-orm';
import type { AlertKind } from '#server/core/alerts.ts';
import type { Db } from '#server/platform/db/client.ts';
import { type FoundAlert, REPORTED_HOURS } from './found.ts';

/** Ends the open alerts of all accounts whose state has ended. Each condition says when alert `a` of its kinds lasts. */
export async function endAlerts(
  db: Db,
  rules: readonly { kinds: readonly AlertKind[]; lasts: SQL }[],
): Promise<void> {
  const whens = rules.reduce(
    (all, { kinds, lasts }) => sql`${all} when a.kind = any(${sql.param(kinds)}) then ${lasts}`,
    sql``,
  );
  await db.run(sql`
    with ended as (
      update alerts a set ended_at = clock_timestamp()
      where a.ended_at is null and not case ${whens} else false end returning number_id
    )
    -- Open pages refresh.
    select pg_notify('wirebird_number', number_id) from ended where number_id is not null`);
}

/** The kind of alert that reports the end of one of kind `after`, and its facts. */
export interface FollowUp {
  kind: AlertKind;
  after: AlertKind;
  facts: SQL;
}

/** Alerts about numbers that have ended, and of which that is reported. */
export async function findEnds(db: Db, followUps: readonly FollowUp[]): Promise<FoundAlert[]> {
  const kinds = Object.fromEntries(followUps.map(({ after, kind }) => [after, kind]));
  const facts = sql.join(followUps.map((one) => sql` when ${one.after} then ${one.facts}`));
  return db.run<FoundAlert>(sql`
    select 'ended:' || a.id as "eventKey", a.account_id as "accountId", a.number_id as "numberId",
      ${JSON.stringify(kinds)}::json ->> a.kind as kind, null as incident, case a.kind${facts} end as facts,
      a.ended_at as "happenedAt"
    from alerts a join accounts o on o.id = a.account_id and o.suspended_at is null and o.deleted_at is null
      join numbers n on n.id = a.number_id and n.removed_at is null
    where a.kind = any(${sql.param(Object.keys(kinds))}) and a.ended_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k where k.event_key = 'ended:' || a.id)`);
}
