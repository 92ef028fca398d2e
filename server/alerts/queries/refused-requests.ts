import { type SQL, sql } from 'drizzle-orm';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';
import { toOf } from '#server/requests/queries/request-list.ts';
import type { Count } from './counted.ts';

/** The recipients that an alert names. */
export const RECIPIENTS_MAX = 5;

/** Refused requests to send: how many, to whom as it was sent, and the most frequent answer. */
export interface RefusedRequests {
  refused: number;
  to: string[];
  recipients: number;
  answer: string | null;
}

/** The {@link RefusedRequests} of the account of the alert of this alias that satisfy `when`, a condition on `q`. */
export const refusedRequests = (alert: string, when: SQL) => sql`
  select count(*)::int as refused, count(distinct q."to")::int as recipients, mode() within group (order by q.answer) as answer,
    coalesce((array_agg(distinct q."to") filter (where q."to" is not null))[1:${RECIPIENTS_MAX}::int], '{}') as "to"
  from (
    select q.answer, ${toOf('q')} as "to" from requests q
    where q.account_id = ${sql.identifier(alert)}.account_id and ${isRefusedSend('q')} and ${when}) q`;

/** Those while the alert's number was not connected: from the first state after this connection until a time. */
export function refusedWhileOff(alias: string, { connection, until }: { connection: SQL; until: SQL }) {
  const alert = sql.identifier(alias);
  const since = sql`(select min(e.at) from number_events e where e.number_id = ${alert}.number_id and e.id > ${connection})`;
  return refusedRequests(
    alias,
    sql`q.number_id = ${alert}.number_id and q.error_code = 'not_connected'
      -- The state of a number whose worker died is still that of its connection.
      and q.at >= least(${since}, ${alert}.happened_at) and q.at < coalesce(${until}, 'infinity')`,
  );
}

/** Those since the last connection of its number, until the alert ended, or until the connection that it reports. */
export const refusedSinceConnection: Count = (alias) => {
  const alert = sql.identifier(alias);
  return refusedWhileOff(alias, { connection: sql`${alert}.incident`, until: sql`${alert}.ended_at` });
};
