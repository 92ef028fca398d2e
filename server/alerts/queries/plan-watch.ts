import type { Database } from '#server/platform/db/client.ts';
import { type FoundAlert, REPORTED_HOURS } from './alert-watch.ts';

// The statements of this file are SQL, as in `alert-watch.ts`.

/** Payments that were recorded recently, and requested plans that were enabled without one. */
export async function findPayments(database: Database, params: { today: string }): Promise<FoundAlert[]> {
  return database.sql<FoundAlert[]>`
    select 'payment:' || p.id as "eventKey", p.account_id as "accountId", null as "numberId",
      case when p.amount_cents > 0 then 'plan_paid' else 'plan_enabled' end as kind,
      null as incident, p.paid_until::text as detail, p.created_at as "happenedAt"
    from payments p join accounts a on a.id = p.account_id
    where (p.amount_cents > 0 or exists (select from plan_requests r where r.payment_id = p.id)) and p.paid_until >= ${params.today}::date and a.suspended_at is null
      and p.created_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k where k.event_key = 'payment:' || p.id)`;
}

/** Recent requests for a plan: one a day for each account, however often it asks. */
export async function findPlanRequests(database: Database): Promise<FoundAlert[]> {
  return database.sql<FoundAlert[]>`
    select 'plan-request:' || r.account_id || ':' || (r.created_at at time zone 'UTC')::date as "eventKey",
      r.account_id as "accountId", null as "numberId", 'plan_requested' as kind, null as incident,
      'For ' || r.numbers || case r.numbers when 1 then ' number. ' else ' numbers. ' end || 'Contact: ' || r.contact ||
        case r.note when '' then '' else E'\nNote: ' || r.note end as detail, r.created_at as "happenedAt"
    from plan_requests r join accounts a on a.id = r.account_id
    where r.payment_id is null and a.suspended_at is null and a.deleted_at is null
      and r.created_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k
        where k.event_key = 'plan-request:' || r.account_id || ':' || (r.created_at at time zone 'UTC')::date)`;
}

/** After this time, all messages that a plan's end cancels are cancelled. */
const CANCELLED_AFTER_SECONDS = 30;

/**
 * Messages that were cancelled because a plan ended or shrank: how many of each account since its last such alert.
 */
export async function findCancelled(database: Database): Promise<FoundAlert[]> {
  return database.sql<FoundAlert[]>`
    select 'cancelled:' || m.account_id || ':' || (extract(epoch from max(m.settled_at)) * 1000)::bigint as "eventKey",
      m.account_id as "accountId", null as "numberId", 'waiting_cancelled' as kind, null as incident,
      count(*)::text as detail, max(m.settled_at) as "happenedAt"
    from messages m join accounts a on a.id = m.account_id
    where m.status = 'cancelled' and m.error_code = 'plan_ended' and a.suspended_at is null
      and m.settled_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and m.settled_at > coalesce((select max(k.happened_at) from alerts k
        where k.account_id = m.account_id and k.kind = 'waiting_cancelled'), '-infinity')
    group by m.account_id
    having max(m.settled_at) < clock_timestamp() - ${CANCELLED_AFTER_SECONDS} * interval '1 second'`;
}

export interface EndingPlan {
  accountId: string;
  numbersIncluded: number;
  paidUntil: string;
  endedAt: Date | null;
}

/** Plans that end within `days` from `today`, or ended recently. */
export async function listEndingPlans(
  database: Database,
  params: { today: string; days: number; graceDays: number },
): Promise<EndingPlan[]> {
  const { today, days, graceDays } = params;
  return database.sql<EndingPlan[]>`
    select s.account_id as "accountId", s.numbers_included as "numbersIncluded", s.paid_until::text as "paidUntil",
      s.ended_at as "endedAt"
    from subscriptions s join accounts a on a.id = s.account_id
    where a.suspended_at is null and case
      when s.ended_at is not null then s.ended_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      else s.paid_until between ${today}::date - ${graceDays}::int - 3 and ${today}::date + ${days}::int end`;
}
