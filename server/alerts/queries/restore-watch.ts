import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import { type FoundAlert, REPORTED_HOURS } from './alert-watch.ts';
import { OPERATORS_ACCOUNT } from './operators-account.ts';

// The statements of this file are SQL, as in `alert-watch.ts`. `now()` lets an index serve its bound.

/** Messages that a restore or a move expired: how many of each number, and whether by a move. */
export async function findExpired(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
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
    group by m.account_id, m.number_id`);
}

/**
 * The newest restore or move, for administrators. After a restore also an alert for each account that lost records:
 * the audit log says what, or, if nobody could count, each account with a number that was linked before.
 */
export async function findRestore(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    with operator as (${OPERATORS_ACCOUNT}), newest as (
      select * from (
        select l.id, l.detail, l.created_at as at from audit_log l
        where l.action = 'installation.restore' and l.account_id is null order by l.id desc limit 1) last
      where at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour' and detail ? 'lost'
    ), found as (
      select 'restore:' || r.id as key, operator.id as account_id, 'restored' as kind, r.detail as facts
      from newest r cross join operator
      union all
      select 'restore:' || r.id || ':' || a.id, a.id, 'records_lost',
        jsonb_build_object('madeAt', r.detail ->> 'madeAt', 'lost', case when c.counted then own.detail -> 'lost' end,
          'messages', case when c.counted then own.detail -> 'messages' end)
      from newest r cross join lateral (select r.detail ->> 'lostMessages' is not null as counted) c
        cross join accounts a
        left join audit_log own on own.account_id = a.id and own.target = a.id and own.action = 'installation.restore' and own.id > r.id
      where not (r.detail ->> 'moved')::boolean and a.deleted_at is null and a.suspended_at is null
        and case when c.counted then own.id is not null
          else exists (select from numbers n
            where n.account_id = a.id and n.first_linked_at < (r.detail ->> 'madeAt')::timestamptz) end
    )
    select f.key as "eventKey", f.account_id as "accountId", null as "numberId", f.kind, null as incident, f.facts,
      r.at as "happenedAt"
    from newest r cross join found f
    where not exists (select from alerts a where a.event_key = f.key)`);
}
