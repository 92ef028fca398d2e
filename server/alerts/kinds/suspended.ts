import { sql } from 'drizzle-orm';
import { type FoundAlert, REPORTED_HOURS } from '../queries/found.ts';
import { refusedSinceConnection } from '../queries/refused-requests.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** By an administrator. */
export const suspended: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    with found as (
      select n.id, n.account_id, n.suspended_reason, n.suspended_at,
        'number:' || n.id || ':suspended:' || (extract(epoch from n.suspended_at) * 1000)::bigint as key
      from numbers n join accounts a on a.id = n.account_id
      where n.removed_at is null and a.suspended_at is null
        and n.suspended_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
    )
    select key as "eventKey", account_id as "accountId", id as "numberId", 'suspended' as kind, null as incident,
      case when suspended_reason is not null then jsonb_build_object('reason', suspended_reason) end as facts, suspended_at as "happenedAt"
    from found where not exists (select from alerts a where a.event_key = found.key)`),
  lasts: () => sql`exists (
      select from numbers n where n.id = a.number_id and n.removed_at is null and n.suspended_at = a.happened_at)`,
  topic: 'numbers',
  sign: 'SUSPENDED',
  page: PAGES.number,
  state: 'SUSPENDED',
  mailCounts: [refusedSinceConnection],
};
