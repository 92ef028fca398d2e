import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import { type FoundAlert, REPORTED_HOURS } from './alert-watch.ts';

// The statements of this file are SQL, as in `alert-watch.ts`.

/** Webhook endpoints that were switched off because they answered 410 or failed for too long. */
export async function findSwitchedOff(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    select 'webhook:' || e.id || ':' || (extract(epoch from e.disabled_at) * 1000)::bigint as "eventKey",
      e.account_id as "accountId", e.number_id as "numberId", 'webhook_off' as kind, null as incident,
      jsonb_build_object('url', e.url, 'why', e.disabled_reason) as facts,
      e.disabled_at as "happenedAt"
    from webhook_endpoints e join accounts a on a.id = e.account_id
    where e.disabled_reason in ('gone', 'failing') and a.suspended_at is null
      and e.disabled_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      and not exists (select from alerts k
        where k.event_key = 'webhook:' || e.id || ':' || (extract(epoch from e.disabled_at) * 1000)::bigint)`);
}

/** Webhook endpoints that get no events because their signing secret cannot be decrypted. */
export async function findUnsigned(database: Database): Promise<FoundAlert[]> {
  return database.db.run<FoundAlert>(sql`
    select * from (
      select 'webhook:' || e.id || ':unsigned:' || (extract(epoch from e.unsigned_since) * 1000)::bigint as "eventKey",
        e.account_id as "accountId", e.number_id as "numberId", 'webhook_unsigned' as kind, null as incident,
        jsonb_build_object('url', e.url) as facts, e.unsigned_since as "happenedAt"
      from webhook_endpoints e join accounts a on a.id = e.account_id
      where e.active and e.unsigned_since is not null and a.suspended_at is null) found
    where not exists (select from alerts k where k.event_key = found."eventKey")`);
}
