import { sql } from 'drizzle-orm';
import { FAILURES_IN_A_ROW } from '#server/core/alerts.ts';
import type { FoundAlert } from '../queries/found.ts';
import { UNSENT } from './families/unsent.ts';
import type { AlertDescriptor } from './kind.ts';

/**
 * The last messages of a number all failed or are unknown. Recipients without WhatsApp do not count. One alert for each
 * such series. Its facts say how many are unknown.
 */
export const failures: AlertDescriptor = {
  ...UNSENT,
  find: (db) =>
    db.run<FoundAlert>(sql`
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
          order by m.dispatched_at desc limit ${FAILURES_IN_A_ROW}
        ) latest
      ) last
      where n.removed_at is null and a.suspended_at is null and n.first_linked_at is not null
        and last.failed >= ${FAILURES_IN_A_ROW} and last.at > clock_timestamp() - interval '1 hour'
    )
    select 'number:' || id || ':failures:' || after as "eventKey", account_id as "accountId", id as "numberId",
      'failures' as kind, null as incident, jsonb_build_object('unclear', unclear) as facts, at as "happenedAt"
    from failing f
    where not exists (select from alerts a where a.event_key = 'number:' || f.id || ':failures:' || f.after)`),
};
