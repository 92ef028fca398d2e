import { sql } from 'drizzle-orm';
import { type FoundAlert, REPORTED_HOURS } from '../queries/found.ts';
import { UNSENT } from './families/unsent.ts';
import type { AlertDescriptor } from './kind.ts';

/** A number restarted because it sent nothing, and has sent nothing since: one alert for each series, and at most one an hour. */
export const notSending: AlertDescriptor = {
  ...UNSENT,
  find: (db) =>
    db.run<FoundAlert>(sql`
    select 'number:' || n.id || ':not_sending:' || e.id as "eventKey", n.account_id as "accountId", n.id as "numberId",
      'not_sending' as kind, null as incident, null as facts, e.at as "happenedAt"
    from numbers n join accounts a on a.id = n.account_id cross join lateral (
      select e.id, e.at from number_events e
      where e.number_id = n.id and e.cause ->> 'code' = 'not_sending' and e.at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
        and not exists (select from messages m where m.number_id = n.id and m.dispatched_at > e.at
          and m.status in ('sent', 'delivered', 'read'))
      order by e.id limit 1) e
    where n.removed_at is null and n.suspended_at is null and a.suspended_at is null
      and not exists (select from alerts k where k.number_id = n.id and k.kind = 'not_sending'
        and (k.happened_at = e.at or k.happened_at > clock_timestamp() - interval '1 hour'))`),
};
