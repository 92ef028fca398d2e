import { sql } from 'drizzle-orm';
import { type FoundAlert, REPORTED_HOURS } from '../queries/found.ts';
import type { AlertDescriptor } from './kind.ts';

/** One a day for each account, however often it asks. */
export const planRequested: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    select 'plan-request:' || r.account_id || ':' || (r.created_at at time zone 'UTC')::date as "eventKey",
      r.account_id as "accountId", null as "numberId", 'plan_requested' as kind, null as incident,
      jsonb_build_object('numbers', r.numbers, 'contact', r.contact, 'note', r.note) as facts, r.created_at as "happenedAt"
    from plan_requests r join accounts a on a.id = r.account_id
    where r.payment_id is null and a.suspended_at is null and a.deleted_at is null
      and r.created_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k
        where k.event_key = 'plan-request:' || r.account_id || ':' || (r.created_at at time zone 'UTC')::date)`),
  lasts: () => sql`exists (
      select from plan_requests r where r.account_id = a.account_id and r.payment_id is null)`,
  topic: 'plan',
  sign: { tone: 'warn', shape: 'question' },
  page: { label: 'Open Accounts', path: '/admin/accounts' },
  only: 'administrators',
};
