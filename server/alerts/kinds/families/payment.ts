import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { type FoundAlert, REPORTED_HOURS } from '../../queries/found.ts';
import { planLoss } from '../../queries/plan-loss.ts';
import { type AlertDescriptor, type Look, PAGES } from '../kind.ts';

/** Payments that were recorded recently, and plans that were enabled without one: requested ones, and ones that had ended. */
const findPayments = (db: Db, { today }: Look) =>
  db.run<FoundAlert>(sql`
    select 'payment:' || p.id as "eventKey", p.account_id as "accountId", null as "numberId",
      case when p.amount_cents > 0 then 'plan_paid' else 'plan_enabled' end as kind,
      null as incident, jsonb_build_object('paidUntil', p.paid_until, 'amountCents', nullif(p.amount_cents, 0)) as facts,
      p.created_at as "happenedAt"
    from payments p join accounts a on a.id = p.account_id
    where (p.amount_cents > 0 or exists (select from plan_requests r where r.payment_id = p.id)
        or exists (select from alerts e where e.account_id = p.account_id and e.kind = 'plan_ended' and e.happened_at < p.created_at
          and not exists (select from payments b where b.account_id = p.account_id and b.created_at < p.created_at
            and b.created_at > e.happened_at + interval '1 second')))
      and p.paid_until >= ${today}::date and a.suspended_at is null
      and p.created_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k where k.event_key = 'payment:' || p.id)`);

/** The plan works, for a payment or without one. */
export const PAID: AlertDescriptor = {
  find: findPayments,
  topic: 'plan',
  sign: { tone: 'ok', shape: 'done' },
  page: PAGES.plan,
  only: 'members',
  counts: planLoss,
};
