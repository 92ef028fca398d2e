import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import { type FoundAlert, REPORTED_HOURS } from './alert-watch.ts';
import { CANCELLED_AFTER_SECONDS } from './plan-loss.ts';

// The statements of this file are SQL, as in `alert-watch.ts`.

/** Now, by the database's clock. */
export async function databaseNow(database: Database): Promise<Date> {
  const [row] = await database.db.run<{ now: Date }>(sql`select clock_timestamp() as now`);
  if (!row) throw new Error('the database does not say what time it is');
  return row.now;
}

/** Payments that were recorded recently, and plans that were enabled without one: requested ones, and ones that had ended. */
export async function findPayments(database: Database, params: { today: string }): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    select 'payment:' || p.id as "eventKey", p.account_id as "accountId", null as "numberId",
      case when p.amount_cents > 0 then 'plan_paid' else 'plan_enabled' end as kind,
      null as incident, jsonb_build_object('paidUntil', p.paid_until, 'amountCents', nullif(p.amount_cents, 0)) as facts,
      p.created_at as "happenedAt"
    from payments p join accounts a on a.id = p.account_id
    where (p.amount_cents > 0 or exists (select from plan_requests r where r.payment_id = p.id)
        or exists (select from alerts e where e.account_id = p.account_id and e.kind = 'plan_ended' and e.happened_at < p.created_at
          and not exists (select from payments b where b.account_id = p.account_id and b.created_at < p.created_at
            and b.created_at > e.happened_at + interval '1 second')))
      and p.paid_until >= ${params.today}::date and a.suspended_at is null
      and p.created_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k where k.event_key = 'payment:' || p.id)`);
}

/** Recent requests for a plan: one a day for each account, however often it asks. */
export async function findPlanRequests(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    select 'plan-request:' || r.account_id || ':' || (r.created_at at time zone 'UTC')::date as "eventKey",
      r.account_id as "accountId", null as "numberId", 'plan_requested' as kind, null as incident,
      jsonb_build_object('numbers', r.numbers, 'contact', r.contact, 'note', r.note) as facts, r.created_at as "happenedAt"
    from plan_requests r join accounts a on a.id = r.account_id
    where r.payment_id is null and a.suspended_at is null and a.deleted_at is null
      and r.created_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k
        where k.event_key = 'plan-request:' || r.account_id || ':' || (r.created_at at time zone 'UTC')::date)`);
}

/**
 * Messages that were cancelled because a plan ended or shrank: how many of each account since its last such alert, and
 * because of what. Without those that the mail about the plan's end counts.
 */
export async function findCancelled(database: Database): Promise<FoundAlert[]> {
  const excess = sql`m.outcome ->> 'say' = 'excess'`;
  return database.db.run<FoundAlert>(sql`
    select 'cancelled:' || m.account_id || ':' || (extract(epoch from max(m.settled_at)) * 1000)::bigint as "eventKey",
      m.account_id as "accountId", null as "numberId", 'waiting_cancelled' as kind, null as incident,
      jsonb_build_object('count', count(*),
        'why', case when bool_and(${excess}) then 'excess' when not bool_or(${excess}) then 'ended' end) as facts,
      max(m.settled_at) as "happenedAt"
    from messages m join accounts a on a.id = m.account_id
    where m.status = 'cancelled' and m.error_code = 'plan_ended' and a.suspended_at is null
      and (${excess} or not exists (select from alerts k
        where k.account_id = m.account_id and k.kind = 'plan_ended' and coalesce(k.ended_at, 'infinity') > m.settled_at
          and m.settled_at <= k.created_at + ${CANCELLED_AFTER_SECONDS} * interval '1 second'))
      and m.settled_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and m.settled_at > coalesce((select max(k.happened_at) from alerts k
        where k.account_id = m.account_id and k.kind = 'waiting_cancelled'), '-infinity')
    group by m.account_id
    having max(m.settled_at) < clock_timestamp() - ${CANCELLED_AFTER_SECONDS} * interval '1 second'`);
}

export interface EndingPlan {
  accountId: string;
  paidUntil: string;
  endedAt: Date | null;
  /** When sending stops, or stopped. */
  stopsAt: Date;
}

/** Plans that end within `days` from `today`, or ended recently. */
export async function listEndingPlans(
  database: Database,
  params: { today: string; days: number; graceDays: number; timeZone: string },
): Promise<EndingPlan[]> {
  const { today, days, graceDays, timeZone } = params;
  return database.db.run<EndingPlan>(sql`
    select s.account_id as "accountId", s.paid_until::text as "paidUntil", s.ended_at as "endedAt",
      -- A payment that was recorded for a past day ends the plan when it is recorded.
      coalesce(s.ended_at, greatest((s.paid_until + ${graceDays}::int + 1)::timestamp at time zone ${timeZone},
        (select max(p.created_at) from payments p where p.account_id = s.account_id and p.paid_until = s.paid_until))) as "stopsAt"
    from subscriptions s join accounts a on a.id = s.account_id
    where a.suspended_at is null and case
      when s.ended_at is not null then s.ended_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      else s.paid_until between ${today}::date - ${graceDays}::int - 3 and ${today}::date + ${days}::int end`);
}

/** Without the alerts that were raised before: most plans that end soon have theirs. */
export async function withoutRaised(database: Database, found: readonly FoundAlert[]): Promise<FoundAlert[]> {
  const keys = found.map(({ eventKey }) => eventKey);
  const rows = await database.db.run<{ key: string }>(sql`
    select event_key as key from alerts where event_key = any(${sql.param(keys)})`);
  const raised = new Set(rows.map(({ key }) => key));
  return found.filter(({ eventKey }) => !raised.has(eventKey));
}
