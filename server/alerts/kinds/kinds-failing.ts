import { sql } from 'drizzle-orm';
import { FAILS_IN_USE } from '#server/operations/queries/build-kinds.ts';
import { type FoundAlert, OPERATORS_ACCOUNT } from '../queries/found.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** The event of the alert about a build `k`, without what tells its series apart. */
const EVENT = sql`'kinds:' || k.network || ':' || k.version || ':'`;

/**
 * A kind of message fails on a build of WhatsApp Web: one alert for each build, however many numbers and kinds, and at most
 * one an hour. An open alert names the kinds that fail now. Like a disk's, it belongs to the administrator.
 */
export const kindsFailing: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    with operator as (${OPERATORS_ACCOUNT}), failing as (
      select ${EVENT} as event, min(k.tested_at) as at,
        jsonb_build_object('build', k.version, 'kinds', jsonb_agg(k.kind order by k.kind)) as facts
      from page_build_kinds k where ${FAILS_IN_USE} group by k.network, k.version
    ), known as (
      select f.*, last.id, last.ended_at, last.created_at from failing f left join lateral (
        select a.id, a.ended_at, a.created_at from alerts a where a.kind = 'kinds_failing' and starts_with(a.event_key, f.event)
        order by a.id desc limit 1) last on true
    ), renamed as (
      update alerts a set facts = k.facts from known k where a.id = k.id and a.ended_at is null and a.facts <> k.facts
    )
    select k.event || coalesce(k.id, 'first') as "eventKey", operator.id as "accountId", null as "numberId",
      'kinds_failing' as kind, null as incident, k.facts, k.at as "happenedAt"
    from known k cross join operator
    where k.id is null or k.ended_at is not null and k.created_at < clock_timestamp() - interval '1 hour'`),
  lasts: () => sql`exists (
      select from page_build_kinds k where starts_with(a.event_key, ${EVENT}) and ${FAILS_IN_USE})`,
  topic: 'server',
  sign: { tone: 'warn', shape: 'warning' },
  page: PAGES.builds,
};
