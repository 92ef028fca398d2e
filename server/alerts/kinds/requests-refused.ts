import { sql } from 'drizzle-orm';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';
import { settings } from '#server/settings.ts';
import { type FoundAlert, OF_NUMBER } from '../queries/found.ts';
import { refusedRequests } from '../queries/refused-requests.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** Too many requests of a number were refused within 10 minutes: one alert for each series. */
export const requestsRefused: AlertDescriptor = {
  // The lateral join reads only the newest requests of each account.
  find: (db) =>
    db.run<FoundAlert>(sql`
    select 'number:' || r.number_id || ':refused:' || coalesce(last.id, 'first') as "eventKey",
      a.id as "accountId", r.number_id as "numberId", 'requests_refused' as kind, null as incident,
      jsonb_build_object('count', r.count, 'code', r.code) as facts, r.at as "happenedAt"
    from accounts a cross join lateral (
      select number_id, count(*) as count, max(at) as at, mode() within group (order by error_code) as code
      from requests q
      where account_id = a.id and at > clock_timestamp() - interval '10 minutes' and ${isRefusedSend('q')}
        and number_id is not null
      group by number_id) r
    join numbers n on n.id = r.number_id and n.removed_at is null
    left join lateral (
      select k.id, k.ended_at from alerts k where k.number_id = r.number_id and k.kind = 'requests_refused'
      order by k.id desc limit 1) last on true
    where r.count > ${settings.refusedAlert} and a.suspended_at is null and a.deleted_at is null
      and (last.id is null or last.ended_at is not null)`),
  // A rate that changes around the limit would otherwise be reported again and again.
  lasts: () => sql`${OF_NUMBER} and (
      select count(*) from requests q where q.account_id = a.account_id and q.number_id = a.number_id
        and q.at > clock_timestamp() - interval '10 minutes' and ${isRefusedSend('q')}) > ${settings.refusedAlert} / 2`,
  topic: 'api',
  sign: { tone: 'warn', shape: 'warning' },
  page: PAGES.requests,
  counts: refusedInSeries,
  countedWhenRaised: true,
};

function refusedInSeries(alias: string) {
  const a = sql.identifier(alias);
  const when = sql`q.number_id = ${a}.number_id and q.at > ${a}.happened_at - interval '10 minutes' and q.at <= ${a}.happened_at`;
  // How many is in its facts.
  return sql`select r."to", r.recipients, r.answer from (${refusedRequests(alias, when)}) r`;
}
