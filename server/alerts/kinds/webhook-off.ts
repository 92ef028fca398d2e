import { sql } from 'drizzle-orm';
import { type FoundAlert, REPORTED_HOURS } from '../queries/found.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** An endpoint was switched off because it answered 410 or failed for too long. */
export const webhookOff: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    select 'webhook:' || e.id || ':' || (extract(epoch from e.disabled_at) * 1000)::bigint as "eventKey",
      e.account_id as "accountId", e.number_id as "numberId", 'webhook_off' as kind, null as incident,
      jsonb_build_object('url', e.url, 'why', e.disabled_reason) as facts,
      e.disabled_at as "happenedAt"
    from webhook_endpoints e join accounts a on a.id = e.account_id
    where e.disabled_reason in ('gone', 'failing') and a.suspended_at is null
      and e.disabled_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k
        where k.event_key = 'webhook:' || e.id || ':' || (extract(epoch from e.disabled_at) * 1000)::bigint)`),
  lasts: () => sql`exists (
      select from webhook_endpoints e
      where 'webhook:' || e.id || ':' || (extract(epoch from e.disabled_at) * 1000)::bigint = a.event_key and not e.active)`,
  topic: 'api',
  sign: { tone: 'fail', shape: 'cross' },
  page: PAGES.webhooks,
};
