import { sql } from 'drizzle-orm';
import { type FoundAlert, REPORTED_HOURS } from '../queries/found.ts';
import { CANCELLED_AFTER_SECONDS } from '../queries/plan-loss.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

const EXCESS = sql`m.outcome ->> 'say' = 'excess'`;

/**
 * A plan ended or shrank, which cancelled messages: how many since the account's last such alert, and because of what.
 * Without those that the mail about the plan's end counts.
 */
export const waitingCancelled: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    select 'cancelled:' || m.account_id || ':' || (extract(epoch from max(m.settled_at)) * 1000)::bigint as "eventKey",
      m.account_id as "accountId", null as "numberId", 'waiting_cancelled' as kind, null as incident,
      jsonb_build_object('count', count(*),
        'why', case when bool_and(${EXCESS}) then 'excess' when not bool_or(${EXCESS}) then 'ended' end) as facts,
      max(m.settled_at) as "happenedAt"
    from messages m join accounts a on a.id = m.account_id
    where m.status = 'cancelled' and m.error_code = 'plan_ended' and a.suspended_at is null
      and (${EXCESS} or not exists (select from alerts k
        where k.account_id = m.account_id and k.kind = 'plan_ended' and coalesce(k.ended_at, 'infinity') > m.settled_at
          and m.settled_at <= k.created_at + ${CANCELLED_AFTER_SECONDS} * interval '1 second'))
      and m.settled_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and m.settled_at > coalesce((select max(k.happened_at) from alerts k
        where k.account_id = m.account_id and k.kind = 'waiting_cancelled'), '-infinity')
    group by m.account_id
    having max(m.settled_at) < clock_timestamp() - ${CANCELLED_AFTER_SECONDS} * interval '1 second'`),
  topic: 'plan',
  sign: { tone: 'fail', shape: 'cross' },
  page: PAGES.cancelled,
  customer: 'acts',
};
