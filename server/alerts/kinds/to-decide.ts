import { sql } from 'drizzle-orm';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import { type FoundAlert, newest, OF_NUMBER, REPORTED_HOURS } from '../queries/found.ts';
import { refusedWhileOff } from '../queries/refused-requests.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** A number sends again while earlier messages need a decision: one alert each time that messages are set aside. */
export const toDecide: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    with aside as (
      select number_id, jsonb_build_object('count', count(*), 'scheduled', count(*) filter (where later)) as facts
      from (select number_id, ${isScheduled('m')} as later from messages m where status = 'queued' and set_aside) m
      group by number_id
    ), found as (
      select n.id, n.account_id, aside.facts, last.id as incident, greatest(n.held_at, last.at) as at,
        'number:' || n.id || ':' || last.id || ':to_decide:' || (extract(epoch from n.held_at) * 1000)::bigint as key
      from aside join numbers n on n.id = aside.number_id join accounts a on a.id = n.account_id
        join lateral (
          select e.id, e.at from number_events e where e.number_id = n.id and e.status = 'CONNECTED' order by e.id desc limit 1
        ) last on true
      where n.removed_at is null and n.suspended_at is null and a.suspended_at is null and n.status = 'CONNECTED'
    )
    select key as "eventKey", account_id as "accountId", id as "numberId", 'to_decide' as kind,
      incident::float8 as incident, facts, at as "happenedAt"
    from found where at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour' and not exists (select from alerts a where a.event_key = found.key)`),
  lasts: () =>
    sql`${OF_NUMBER} and ${newest('to_decide')} and exists (
      select from messages m where m.number_id = a.number_id and m.status = 'queued' and m.set_aside)`,
  topic: 'numbers',
  sign: { tone: 'warn', shape: 'question' },
  page: PAGES.number,
  customer: 'acts',
  mailCounts: [refusedBefore],
};

/** Its incident is the connection that ended the outage. */
function refusedBefore(alias: string) {
  const a = sql.identifier(alias);
  const connection = sql`(
    select max(c.id) from number_events c where c.number_id = ${a}.number_id and c.id < ${a}.incident and c.status = 'CONNECTED')`;
  return refusedWhileOff(alias, { connection, until: sql`${a}.happened_at` });
}
