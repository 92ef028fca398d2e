import { sql } from 'drizzle-orm';
import { DISCONNECTED_ALERT_MS } from '#server/core/alerts.ts';
import { SESSION_STOP_CODES } from '#server/core/number/cause.ts';
import { WORKER_SILENCE_MS } from '#server/operations/queries/operator.ts';
import type { Db } from '#server/platform/db/client.ts';
import { type FoundAlert, newest, OF_NUMBER, REPORTED_HOURS } from '../../queries/found.ts';
import { refusedSinceConnection } from '../../queries/refused-requests.ts';
import { type AlertDescriptor, PAGES } from '../kind.ts';

const RECOVERED_AFTER_MS = 15_000;
/** A number whose lease was renewed within this time has a worker. */
export const LEASE_FRESH_MS = 12_000;

/**
 * Numbers of all accounts that have a problem or recovered from one. An incident begins with the last connection
 * of a number, and each kind of alert is raised once in it, however often the state changes. Numbers that their
 * owner unlinked, or that are stopped on purpose, have no problem. Time without a running worker does not count.
 */
export async function findNumberAlerts(db: Db, params: { disconnectedMs: number }): Promise<FoundAlert[]> {
  const stops = [...SESSION_STOP_CODES];
  return db.run<FoundAlert>(sql`
    with awake as (
      select min(created_at) as at from processes
      where seen_at > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'
    ), known as (
      select n.*, l.renewed_at, coalesce((
        select max(e.id) from number_events e where e.number_id = n.id and e.status = 'CONNECTED'), 0) as incident
      from numbers n join accounts a on a.id = n.account_id left join leases l on l.number_id = n.id
      where n.removed_at is null and n.suspended_at is null and a.suspended_at is null and n.first_linked_at is not null
    ), stopped as (
      select id, account_id, lower(status) as kind, incident, cause as facts, status_since as at from known
      where status in ('LOGGED_OUT', 'BLOCKED', 'CONFLICT') and cause ->> 'code' is distinct from 'build_changed'
        and status_since > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
        and not exists (
          select from number_events e where e.number_id = known.id and e.id > known.incident and e.status = 'UNLINKED')
    ), away as (
      select known.*, greatest(awake.at, case when status = 'CONNECTED' then renewed_at else (
        select min(e.at) from number_events e where e.number_id = known.id and e.id > known.incident
          and not exists (select from number_events p where p.number_id = e.number_id and p.id >= e.id and p.cause ->> 'code' = any(${sql.param(stops)}))) end) as since
      from known cross join awake where intent = 'run' and status <> 'BLOCKED' and coalesce(cause ->> 'code' <> all(${sql.param(stops)}), true)
    ), found as (
      select id, account_id, kind, incident, facts, at from stopped
      union all
      select id, account_id, 'disconnected', incident, cause, since from away
      where since < clock_timestamp() - ${params.disconnectedMs} * interval '1 millisecond'
      union all
      select distinct on (n.id, a.incident) n.id, n.account_id, 'recovered', a.incident, null, n.status_since
      from known n join alerts a on a.number_id = n.id and a.incident < n.incident
        and a.kind in ('logged_out', 'blocked', 'conflict', 'disconnected')
      where n.status = 'CONNECTED' and n.status_since < clock_timestamp() - ${RECOVERED_AFTER_MS} * interval '1 millisecond'
        and n.renewed_at > clock_timestamp() - ${LEASE_FRESH_MS} * interval '1 millisecond'
        -- The alert about messages to decide on has reported the recovery.
        and not exists (select from alerts d where d.number_id = n.id and d.kind = 'to_decide' and d.incident > a.incident)
        and not exists (select from messages m where m.number_id = n.id and m.status = 'queued' and m.set_aside)
    )
    select 'number:' || id || ':' || incident || ':' || kind as "eventKey", account_id as "accountId", id as "numberId",
      kind, incident::float8 as incident, facts, at as "happenedAt"
    from found f
    where not exists (select from alerts a where a.event_key = 'number:' || f.id || ':' || f.incident || ':' || f.kind)`);
}

export const findStopped = (db: Db) => findNumberAlerts(db, { disconnectedMs: DISCONNECTED_ALERT_MS });

/** Until it connects or its owner unlinks it, or another problem takes the place of this one. */
export const isStopped = () =>
  sql`${OF_NUMBER} and ${newest('logged_out', 'blocked', 'conflict', 'disconnected')} and not exists (
    select from number_events e where e.number_id = a.number_id and e.id > a.incident and e.status in ('CONNECTED', 'UNLINKED'))`;

/** A number that sends nothing in an incident that began with its last connection. */
export const STOPPED_NUMBER = {
  find: findStopped,
  lasts: isStopped,
  topic: 'numbers',
  page: PAGES.number,
  mailCounts: [refusedSinceConnection],
} as const satisfies Partial<AlertDescriptor>;
