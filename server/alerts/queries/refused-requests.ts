import { type SQL, sql } from 'drizzle-orm';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';
import { toOf } from '#server/requests/queries/request-list.ts';

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

/** Those that an alert of the kind `requests_refused` counts. */
export function refusedInSeries(alias: string) {
  const alert = sql.identifier(alias);
  return refusedRequests(
    alias,
    sql`q.number_id = ${alert}.number_id and q.at > ${alert}.happened_at - interval '10 minutes' and q.at <= ${alert}.happened_at`,
  );
}
