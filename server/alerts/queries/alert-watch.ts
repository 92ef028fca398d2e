import { sql } from 'drizzle-orm';
import type { AlertFacts, AlertKind } from '#server/core/alerts.ts';
import { SESSION_STOP_CODES } from '#server/core/number/cause.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import { FAILS_IN_USE } from '#server/operations/queries/build-kinds.ts';
import { WORKER_SILENCE_MS } from '#server/operations/queries/operator.ts';
import { IS_KEPT_GOOD } from '#server/operations/queries/page-builds.ts';
import type { Database } from '#server/platform/db/client.ts';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';
import { OPERATORS_ACCOUNT } from './operators-account.ts';

// The statements of this file are SQL: each compares states, histories and earlier alerts of all accounts in one pass.

/** An event to report once. */
export interface FoundAlert {
  eventKey: string;
  accountId: string;
  numberId: string | null;
  kind: AlertKind;
  incident: number | null;
  /** In the form that its kind states; null if the kind says all. */
  facts: AlertFacts | null;
  /** How many messages a change of the phone number cancelled. */
  cancelled?: number;
  happenedAt: Date;
}

/** A restart or an upgrade must not report old events. */
export const REPORTED_HOURS = 24;
const RECOVERED_AFTER_MS = 15_000;
/** A number whose lease was renewed within this time has a worker. */
export const LEASE_FRESH_MS = 12_000;

/**
 * Numbers of all accounts that have a problem or recovered from one. An incident begins with the last connection
 * of a number, and each kind of alert is raised once in it, however often the state changes. Numbers that their
 * owner unlinked, or that are stopped on purpose, have no problem. Time without a running worker does not count.
 */
export async function findNumberAlerts(
  database: Database,
  params: { disconnectedMs: number },
): Promise<FoundAlert[]> {
  const stops = [...SESSION_STOP_CODES];
  return database.db.run<FoundAlert>(sql`
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

/**
 * Which of these numbers have another phone number (digits) than at their connection `incident`, and how many
 * messages were cancelled for it.
 */
export async function findReplacements(
  database: Database,
  incidents: readonly Pick<FoundAlert, 'numberId' | 'incident'>[],
) {
  return database.db.run<{ numberId: string; incident: number | null; phone: string; cancelled: number }>(sql`
    select n.id as "numberId", g.incident::float8 as incident, n.phone_number as phone, sum((l.detail ->> 'cancelled')::int)::int as cancelled
    from json_to_recordset(${JSON.stringify(incidents)}::json) as g ("numberId" text, incident bigint)
      join numbers n on n.id = g."numberId"
      join audit_log l on l.account_id = n.account_id and l.target = n.id and l.action = 'number.replace_phone'
    where l.created_at > coalesce((
      select e.at from number_events e where e.number_id = n.id and e.id = g.incident), '-infinity')
    group by n.id, g.incident having (array_agg(l.detail ->> 'to' order by l.id desc))[1] = n.phone_number`);
}

/**
 * Numbers that send again while earlier messages need a decision: one alert each time that messages are set aside.
 */
export async function findDecisions(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with aside as (
      select number_id, jsonb_build_object('count', count(*), 'scheduled', count(*) filter (where later)) as facts
      from (select number_id, ${isScheduled('m')} as later from messages m where status = 'queued' and set_aside) m
      group by number_id
    ), found as (
      select n.id, n.account_id, aside.facts, last.id as incident, greatest(n.held_at, last.at) as at,
        'number:' || n.id || ':' || last.id || ':to_decide:' || (extract(epoch from n.held_at) * 1000)::bigint as key
      from aside join numbers n on n.id = aside.number_id join accounts a on a.id = n.account_id
        join lateral (
          select e.id, e.at from number_events e where e.number_id = n.id and e.status = 'CONNECTED' order by e.id desc limit 1
        ) last on true
      where n.removed_at is null and n.suspended_at is null and a.suspended_at is null and n.status = 'CONNECTED'
    )
    select key as "eventKey", account_id as "accountId", id as "numberId", 'to_decide' as kind,
      incident::float8 as incident, facts, at as "happenedAt"
    from found where at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour' and not exists (select from alerts a where a.event_key = found.key)`);
}

/**
 * Workers whose disk has too little room, and those that have room again. The alert belongs to the oldest account
 * of an administrator: every administrator gets its mail, and customers see the effect on their numbers.
 */
export async function findDiskAlerts(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with operator as (${OPERATORS_ACCOUNT}), short as (
      select p.id, p.volume_id, d.kind, d.at, p.disk_note from processes p cross join lateral (values
        ('disk_low', case when p.sessions_stopped_at is null then p.media_refused_at end),
        ('disk_full', p.sessions_stopped_at)) as d (kind, at)
      where p.kind = 'worker' and p.seen_at > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'
        and d.at is not null
    ), latest as (
      select distinct on (split_part(event_key, ':', 2)) split_part(event_key, ':', 2) as volume_id, kind, id
      from alerts where event_key like 'disk:%' order by split_part(event_key, ':', 2), id desc
    ), found as (
      select s.volume_id, s.kind, jsonb_build_object('note', s.disk_note) as facts, s.at from short s
        left join latest l on l.volume_id = s.volume_id
      where l.kind is distinct from s.kind
      union all
      select p.volume_id, 'disk_recovered', null, clock_timestamp() from processes p join latest l on l.volume_id = p.volume_id
      where p.kind = 'worker' and p.seen_at > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'
        and p.media_refused_at is null and p.sessions_stopped_at is null and l.kind <> 'disk_recovered'
    )
    select 'disk:' || f.volume_id || ':' || f.kind || ':after ' || coalesce(l.id, 'nothing') as "eventKey",
      operator.id as "accountId", null as "numberId", f.kind, null as incident, f.facts, f.at as "happenedAt"
    from found f cross join operator left join latest l on l.volume_id = f.volume_id`);
}

/**
 * Builds of WhatsApp Web that failed their self-test on some number: one alert for each build, however many
 * numbers run it, and one more if they continued with an older build and are blocked later. Like a disk's alert,
 * it belongs to the administrator. `pinned`: the operator chose the one build that numbers run.
 */
export async function findBuildAlerts(
  database: Database,
  params: { pinned: boolean },
): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with operator as (${OPERATORS_ACCOUNT}), blocked as (
      select n.cause as facts, n.status_since as at, 'build:' || (n.cause ->> 'build') as key
      from numbers n join accounts a on a.id = n.account_id
      where n.removed_at is null and n.suspended_at is null and a.suspended_at is null and n.status = 'BLOCKED'
        and n.cause ->> 'code' = 'build_changed' and n.status_since > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
    ), older as (
      select distinct on (f.version) 'build:' || f.version || ':older' as key, f.tested_at as at,
        jsonb_build_object('code', 'build_replaced', 'build', f.version, 'what', f.failed_check, 'good', g.version) as facts
      from page_builds f join page_builds g on g.network = f.network and ${IS_KEPT_GOOD}
      where not ${params.pinned} and f.verdict = 'failed' and f.tested_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
        and not exists (select from blocked b where b.key = 'build:' || f.version)
        and not exists (select from alerts a where a.event_key = 'build:' || f.version)
      order by f.version, g.first_seen_at desc
    ), found as (
      (select distinct on (key) key, facts, at from blocked order by key, at)
      union all select key, facts, at from older
    )
    select f.key as "eventKey", operator.id as "accountId", null as "numberId", 'build_changed' as kind, null as incident,
      f.facts, f.at as "happenedAt"
    from found f cross join operator where not exists (select from alerts a where a.event_key = f.key)`);
}

/** The event of the alert about a build `k`, without what tells its series apart. */
export const KINDS_EVENT = sql`'kinds:' || k.network || ':' || k.version || ':'`;

/**
 * Builds of WhatsApp Web on which a kind of message fails: one alert for each build, however many numbers and kinds, and
 * at most one an hour. An open alert names the kinds that fail now. Like a disk's alert, it belongs to the administrator.
 */
export async function findFailingKinds(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with operator as (${OPERATORS_ACCOUNT}), failing as (
      select ${KINDS_EVENT} as event, min(k.tested_at) as at,
        jsonb_build_object('build', k.version, 'kinds', jsonb_agg(k.kind order by k.kind)) as facts
      from page_build_kinds k where ${FAILS_IN_USE} group by k.network, k.version
    ), known as (
      select f.*, last.id, last.ended_at, last.created_at from failing f left join lateral (
        select a.id, a.ended_at, a.created_at from alerts a where a.kind = 'kinds_failing' and starts_with(a.event_key, f.event)
        order by a.id desc limit 1) last on true
    ), renamed as (
      update alerts a set facts = k.facts from known k where a.id = k.id and a.ended_at is null and a.facts <> k.facts
    )
    select k.event || coalesce(k.id, 'first') as "eventKey", operator.id as "accountId", null as "numberId",
      'kinds_failing' as kind, null as incident, k.facts, k.at as "happenedAt"
    from known k cross join operator
    where k.id is null or k.ended_at is not null and k.created_at < clock_timestamp() - interval '1 hour'`);
}

/** Numbers that WhatsApp restricts, or that pause after refusals: one alert for each restriction. */
export async function findHealthAlerts(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with found as (
      select n.id, n.account_id, h.*, 'number:' || n.id || ':health:' || (extract(epoch from h.restricted_since) * 1000)::bigint as key
      from number_health h join numbers n on n.id = h.number_id join accounts a on a.id = n.account_id
      where n.removed_at is null and n.suspended_at is null and a.suspended_at is null
        and h.restricted_since > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
    )
    select key as "eventKey", account_id as "accountId", id as "numberId", 'health' as kind, null as incident, restricted_since as "happenedAt",
      jsonb_build_object('timelockKind', timelock_kind, 'checkpoint', checkpoint,
        'limit', case when timelock_kind is not null then 'timelock' when cap_status = 'CAPPED' then 'cap' when checkpoint is null then 'pause' end,
        'until', case when timelock_kind is not null then timelock_until when cap_status = 'CAPPED' then cap_until
          when checkpoint is null then pause_until end) as facts
    from found where not exists (select from alerts a where a.event_key = found.key)`);
}

/** Numbers that an administrator suspended recently. */
export async function findSuspensions(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with found as (
      select n.id, n.account_id, n.suspended_reason, n.suspended_at,
        'number:' || n.id || ':suspended:' || (extract(epoch from n.suspended_at) * 1000)::bigint as key
      from numbers n join accounts a on a.id = n.account_id
      where n.removed_at is null and a.suspended_at is null
        and n.suspended_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
    )
    select key as "eventKey", account_id as "accountId", id as "numberId", 'suspended' as kind, null as incident,
      case when suspended_reason is not null then jsonb_build_object('reason', suspended_reason) end as facts, suspended_at as "happenedAt"
    from found where not exists (select from alerts a where a.event_key = found.key)`);
}

/**
 * Numbers whose last `inARow` messages all failed or are unknown. Recipients without WhatsApp do not count. One
 * alert for each such series, which ends with the next sent message. Its facts say how many are unknown.
 */
export async function findFailureAlerts(
  database: Database,
  params: { inARow: number },
): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with failing as (
      select n.id, n.account_id, last.at, last.unclear,
        coalesce((select m.id from messages m where m.number_id = n.id and m.dispatched_at is not null
          and m.status in ('sent', 'delivered', 'read') order by m.dispatched_at desc limit 1), 'first') as after
      from numbers n join accounts a on a.id = n.account_id cross join lateral (
        select count(*) filter (where status in ('failed', 'unknown')) as failed,
          count(*) filter (where status = 'unknown') as unclear, max(dispatched_at) as at
        from (
          select m.status, m.dispatched_at from messages m
          where m.number_id = n.id and m.dispatched_at is not null and m.status <> 'sending'
            and m.error_code is distinct from 'recipient_unknown'
          order by m.dispatched_at desc limit ${params.inARow}
        ) latest
      ) last
      where n.removed_at is null and a.suspended_at is null and n.first_linked_at is not null
        and last.failed >= ${params.inARow} and last.at > clock_timestamp() - interval '1 hour'
    )
    select 'number:' || id || ':failures:' || after as "eventKey", account_id as "accountId", id as "numberId",
      'failures' as kind, null as incident, jsonb_build_object('unclear', unclear) as facts, at as "happenedAt"
    from failing f
    where not exists (select from alerts a where a.event_key = 'number:' || f.id || ':failures:' || f.after)`);
}

/**
 * Numbers that restarted because they sent nothing, and have sent nothing since: one alert for each series, and at most
 * one an hour.
 */
export async function findSilentNumbers(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    select 'number:' || n.id || ':not_sending:' || e.id as "eventKey", n.account_id as "accountId", n.id as "numberId",
      'not_sending' as kind, null as incident, null as facts, e.at as "happenedAt"
    from numbers n join accounts a on a.id = n.account_id cross join lateral (
      select e.id, e.at from number_events e
      where e.number_id = n.id and e.cause ->> 'code' = 'not_sending' and e.at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
        and not exists (select from messages m where m.number_id = n.id and m.dispatched_at > e.at
          and m.status in ('sent', 'delivered', 'read'))
      order by e.id limit 1) e
    where n.removed_at is null and n.suspended_at is null and a.suspended_at is null
      and not exists (select from alerts k where k.number_id = n.id and k.kind = 'not_sending'
        and (k.happened_at = e.at or k.happened_at > clock_timestamp() - interval '1 hour'))`);
}

/**
 * Numbers of which more than `most` requests were refused within 10 minutes: one alert for each series, which
 * lasts as long as its alert is open (`alert-ends.ts`).
 */
export async function findRefusals(database: Database, params: { most: number }): Promise<FoundAlert[]> {
  // SQL: the lateral join reads only the newest requests of each account.
  return database.db.run<FoundAlert>(sql`
    select 'number:' || r.number_id || ':refused:' || coalesce(last.id, 'first') as "eventKey",
      a.id as "accountId", r.number_id as "numberId", 'requests_refused' as kind, null as incident,
      jsonb_build_object('count', r.count, 'code', r.code) as facts, r.at as "happenedAt"
    from accounts a cross join lateral (
      select number_id, count(*) as count, max(at) as at, mode() within group (order by error_code) as code
      from requests q
      where account_id = a.id and at > clock_timestamp() - interval '10 minutes' and ${isRefusedSend('q')}
        and number_id is not null
      group by number_id) r
    join numbers n on n.id = r.number_id and n.removed_at is null
    left join lateral (
      select k.id, k.ended_at from alerts k where k.number_id = r.number_id and k.kind = 'requests_refused'
      order by k.id desc limit 1) last on true
    where r.count > ${params.most} and a.suspended_at is null and a.deleted_at is null
      and (last.id is null or last.ended_at is not null)`);
}
