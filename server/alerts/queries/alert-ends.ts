import { type SQL, sql } from 'drizzle-orm';
import type { AlertKind, LastingKind } from '#server/core/alerts.ts';
import { SESSION_STOP_CODES } from '#server/core/number/cause.ts';
import { FAILS_IN_USE } from '#server/operations/queries/build-kinds.ts';
import { IS_KEPT_GOOD } from '#server/operations/queries/page-builds.ts';
import type { Database } from '#server/platform/db/client.ts';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';
import { type FoundAlert, KINDS_EVENT, LEASE_FRESH_MS, REPORTED_HOURS } from './alert-watch.ts';

// The statements of this file are SQL, as in `alert-watch.ts`.

/** For each kind, the condition under which the state of its alert `a` still lasts. */
function stillLasts(params: EndRules): Record<LastingKind, SQL> {
  const ofNumber = sql`exists (select from numbers n where n.id = a.number_id and n.removed_at is null)`;
  // A newer alert of these kinds ends an older one, so that two about the same thing are never open at once.
  const newest = (...kinds: AlertKind[]) => sql`not exists (
    select from alerts k where k.account_id = a.account_id and k.number_id is not distinct from a.number_id
      and k.kind = any(${sql.param(kinds)}) and k.id > a.id)`;
  const stopped = sql`${ofNumber} and ${newest('logged_out', 'blocked', 'conflict', 'disconnected')} and not exists (
    select from number_events e where e.number_id = a.number_id and e.id > a.incident and e.status in ('CONNECTED', 'UNLINKED'))`;
  const unsent = sql`${ofNumber} and ${newest('failures', 'not_sending')} and not exists (
    select from messages m where m.number_id = a.number_id and m.dispatched_at > a.happened_at
      and m.status in ('sent', 'delivered', 'read'))`;
  const disk = sql`not exists (
    select from alerts k where k.event_key like 'disk:%' and k.id > a.id
      and split_part(k.event_key, ':', 2) = split_part(a.event_key, ':', 2))`;
  const plan = sql`${newest('plan_7_days', 'plan_1_day', 'plan_grace', 'plan_ended')} and exists (
    select from subscriptions s where s.account_id = a.account_id and s.ended_at is null and s.paid_until::text = a.facts ->> 'paidUntil')`;
  return {
    logged_out: stopped,
    blocked: stopped,
    conflict: stopped,
    disconnected: sql`${stopped} and exists (
      select from numbers n left join leases l on l.number_id = n.id
      where n.id = a.number_id and n.intent = 'run' and n.suspended_at is null
        and coalesce(n.cause ->> 'code' <> all(${sql.param([...SESSION_STOP_CODES])}), true)
        and not (n.status = 'CONNECTED' and coalesce(l.renewed_at, '-infinity') > clock_timestamp() - ${LEASE_FRESH_MS} * interval '1 millisecond'))`,
    suspended: sql`exists (
      select from numbers n where n.id = a.number_id and n.removed_at is null and n.suspended_at = a.happened_at)`,
    health: sql`${ofNumber} and exists (
      select from number_health h where h.number_id = a.number_id and h.restricted_since = a.happened_at
        and (h.checkpoint is not null or h.pause_until > clock_timestamp()
          or h.timelock_kind is not null and coalesce(h.timelock_until, 'infinity') > clock_timestamp()
          or h.cap_status = 'CAPPED' and coalesce(h.cap_until, 'infinity') > clock_timestamp()))`,
    to_decide: sql`${ofNumber} and ${newest('to_decide')} and exists (
      select from messages m where m.number_id = a.number_id and m.status = 'queued' and m.set_aside)`,
    failures: unsent,
    not_sending: unsent,
    build_changed: sql`case when a.event_key like '%:older' then exists (
        select from page_builds b where 'build:' || b.version || ':older' = a.event_key and b.verdict = 'failed'
          and not exists (select from page_builds g
            where g.network = b.network and g.first_seen_at > b.first_seen_at and ${IS_KEPT_GOOD}))
      else exists (
        select from numbers n where n.removed_at is null and n.status = 'BLOCKED' and n.cause ->> 'code' = 'build_changed'
          and 'build:' || (n.cause ->> 'build') = a.event_key) end`,
    kinds_failing: sql`exists (
      select from page_build_kinds k where starts_with(a.event_key, ${KINDS_EVENT}) and ${FAILS_IN_USE})`,
    disk_low: disk,
    disk_full: disk,
    webhook_off: sql`exists (
      select from webhook_endpoints e
      where 'webhook:' || e.id || ':' || (extract(epoch from e.disabled_at) * 1000)::bigint = a.event_key and not e.active)`,
    webhook_unsigned: sql`exists (
      select from webhook_endpoints e
      where 'webhook:' || e.id || ':unsigned:' || (extract(epoch from e.unsigned_since) * 1000)::bigint = a.event_key and e.active)`,
    // A rate that changes around the limit would otherwise be reported again and again.
    requests_refused: sql`${ofNumber} and (
      select count(*) from requests q where q.account_id = a.account_id and q.number_id = a.number_id
        and q.at > clock_timestamp() - interval '10 minutes' and ${isRefusedSend('q')}) > ${params.mostRefused} / 2`,
    plan_7_days: plan,
    plan_1_day: plan,
    plan_grace: plan,
    plan_ended: sql`${newest('plan_ended')} and exists (
      select from subscriptions s where s.account_id = a.account_id
        and (s.ended_at is not null or s.paid_until + ${params.graceDays}::int < ${params.today}::date))`,
    plan_requested: sql`exists (
      select from plan_requests r where r.account_id = a.account_id and r.payment_id is null)`,
  };
}

export interface EndRules {
  /** More refused requests of a number within 10 minutes are an alert. */
  mostRefused: number;
  today: string;
  graceDays: number;
}

/** Ends the open alerts of all accounts whose state has ended. */
export async function endAlerts(database: Database, params: EndRules): Promise<void> {
  const rules = Object.entries(stillLasts(params));
  const whens = rules.reduce((all, [kind, lasts]) => sql`${all} when ${kind} then ${lasts}`, sql``);
  await database.db.run(sql`
    with ended as (
      update alerts a set ended_at = clock_timestamp()
      where a.ended_at is null and not case a.kind ${whens} else false end returning number_id
    )
    -- Open pages refresh.
    select pg_notify('wirebird_number', number_id) from ended where number_id is not null`);
}

/**
 * The alert that reports the end of a state, for states that nobody in this account ends on purpose. The ends of
 * other states have separate alerts.
 */
const FOLLOW_UPS = {
  suspended: 'resumed',
  health: 'unrestricted',
  requests_refused: 'requests_accepted',
} as const satisfies Partial<Record<LastingKind, AlertKind>>;

/** Numbers whose suspension, restriction or series of refused requests has ended. */
export async function findEnds(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    select 'ended:' || a.id as "eventKey", a.account_id as "accountId", a.number_id as "numberId",
      ${JSON.stringify(FOLLOW_UPS)}::json ->> a.kind as kind, null as incident,
      case a.kind when 'requests_refused' then (
        select jsonb_build_object('refused', count(*) filter (where refused), 'accepted', count(*) filter (where not refused))
        from (select ${isRefusedSend('q')} as refused from requests q
          where q.account_id = a.account_id and q.number_id = a.number_id and q.at > a.ended_at - interval '10 minutes'
            and q.at <= a.ended_at) counted) when 'health' then a.facts end as facts,
      a.ended_at as "happenedAt"
    from alerts a join accounts o on o.id = a.account_id and o.suspended_at is null and o.deleted_at is null
      join numbers n on n.id = a.number_id and n.removed_at is null
    where a.kind = any(${sql.param(Object.keys(FOLLOW_UPS))}) and a.ended_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k where k.event_key = 'ended:' || a.id)`);
}
