import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { type FoundAlert, OPERATORS_ACCOUNT, REPORTED_HOURS } from '../../queries/found.ts';

/**
 * The newest restore or move, for administrators. After a restore also an alert for each account that lost records:
 * the audit log says what, or, if nobody could count, each account with a number that was linked before.
 */
const findRestore = (db: Db) =>
  db.run<FoundAlert>(sql`
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

/** What the alerts after a restore share. */
export const RESTORE = { find: findRestore, sign: { tone: 'warn', shape: 'turning' } } as const;
