import { sql } from 'drizzle-orm';
import { isPinned } from '#server/core/page-build.ts';
import { IS_KEPT_GOOD } from '#server/operations/queries/page-builds.ts';
import { settings } from '#server/settings.ts';
import { type FoundAlert, OPERATORS_ACCOUNT, REPORTED_HOURS } from '../queries/found.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/**
 * A build of WhatsApp Web failed its self-test on some number: one alert for each build, however many numbers run it, and
 * one more if they continued with an older build and are blocked later. Like a disk's, it belongs to the administrator.
 */
export const buildChanged: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    with operator as (${OPERATORS_ACCOUNT}), blocked as (
      select n.cause as facts, n.status_since as at, 'build:' || (n.cause ->> 'build') as key
      from numbers n join accounts a on a.id = n.account_id
      where n.removed_at is null and n.suspended_at is null and a.suspended_at is null and n.status = 'BLOCKED'
        and n.cause ->> 'code' = 'build_changed' and n.status_since > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
    ), older as (
      select distinct on (f.version) 'build:' || f.version || ':older' as key, f.tested_at as at,
        jsonb_build_object('code', 'build_replaced', 'build', f.version, 'what', f.failed_check, 'good', g.version) as facts
      from page_builds f join page_builds g on g.network = f.network and ${IS_KEPT_GOOD}
      where not ${isPinned(settings.whatsappBuild)} and f.verdict = 'failed' and f.tested_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
        and not exists (select from blocked b where b.key = 'build:' || f.version)
        and not exists (select from alerts a where a.event_key = 'build:' || f.version)
      order by f.version, g.first_seen_at desc
    ), found as (
      (select distinct on (key) key, facts, at from blocked order by key, at)
      union all select key, facts, at from older
    )
    select f.key as "eventKey", operator.id as "accountId", null as "numberId", 'build_changed' as kind, null as incident,
      f.facts, f.at as "happenedAt"
    from found f cross join operator where not exists (select from alerts a where a.event_key = f.key)`),
  lasts: () => sql`case when a.event_key like '%:older' then exists (
        select from page_builds b where 'build:' || b.version || ':older' = a.event_key and b.verdict = 'failed'
          and not exists (select from page_builds g
            where g.network = b.network and g.first_seen_at > b.first_seen_at and ${IS_KEPT_GOOD}))
      else exists (
        select from numbers n where n.removed_at is null and n.status = 'BLOCKED' and n.cause ->> 'code' = 'build_changed'
          and 'build:' || (n.cause ->> 'build') = a.event_key) end`,
  topic: 'server',
  sign: 'BLOCKED',
  page: PAGES.builds,
};
