import { sql } from 'drizzle-orm';
import { type FoundAlert, REPORTED_HOURS } from '../queries/found.ts';
import type { AlertDescriptor } from './kind.ts';

/** A restore or a move expired messages: how many of each number, and whether by a move. */
export const waitingExpired: AlertDescriptor = {
  // `now()` lets an index serve its bound.
  find: (db) =>
    db.run<FoundAlert>(sql`
    select 'expired:' || m.number_id || ':' || (extract(epoch from max(m.settled_at)) * 1000)::bigint as "eventKey",
      m.account_id as "accountId", m.number_id as "numberId", 'waiting_expired' as kind, null as incident,
      jsonb_build_object('count', count(*), 'moved', coalesce(bool_or(m.outcome ->> 'say' = 'moved'), false)) as facts,
      max(m.settled_at) as "happenedAt"
    from messages m join accounts a on a.id = m.account_id and a.suspended_at is null and a.deleted_at is null
      join numbers n on n.id = m.number_id and n.removed_at is null
    where m.status = 'expired' and m.error_code = 'deadline_passed'
      and m.settled_at > now() - ${REPORTED_HOURS}::int * interval '1 hour'
      and exists (select from message_events e where e.message_id = m.id and e.event = 'expired' and e.detail = 'restored')
      and not exists (select from alerts k
        where k.number_id = m.number_id and k.kind = 'waiting_expired' and k.happened_at >= m.settled_at)
    group by m.account_id, m.number_id`),
  topic: 'numbers',
  sign: { tone: 'fail', shape: 'cross' },
  page: { label: 'Open Messages', path: '/messages?status=expired', ofNumber: '&number=' },
  customer: 'acts',
};
