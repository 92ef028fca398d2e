import { sql } from 'drizzle-orm';
import type { FoundAlert } from '../queries/found.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** An endpoint gets no events because its signing secret cannot be decrypted. */
export const webhookUnsigned: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    select * from (
      select 'webhook:' || e.id || ':unsigned:' || (extract(epoch from e.unsigned_since) * 1000)::bigint as "eventKey",
        e.account_id as "accountId", e.number_id as "numberId", 'webhook_unsigned' as kind, null as incident,
        jsonb_build_object('url', e.url) as facts, e.unsigned_since as "happenedAt"
      from webhook_endpoints e join accounts a on a.id = e.account_id
      where e.active and e.unsigned_since is not null and a.suspended_at is null) found
    where not exists (select from alerts k where k.event_key = found."eventKey")`),
  lasts: () => sql`exists (
      select from webhook_endpoints e
      where 'webhook:' || e.id || ':unsigned:' || (extract(epoch from e.unsigned_since) * 1000)::bigint = a.event_key and e.active)`,
  topic: 'api',
  sign: { tone: 'fail', shape: 'cross' },
  page: PAGES.webhooks,
};
