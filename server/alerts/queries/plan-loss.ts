import { sql } from 'drizzle-orm';
import { RECIPIENTS_MAX, type RefusedRequests, refusedRequests } from './refused-requests.ts';

/** After this time, all messages that a plan's end cancels are cancelled. */
export const CANCELLED_AFTER_SECONDS = 30;

/** What a plan's end cancelled, and the requests to send that were refused until it worked again. */
export interface PlanLoss extends Omit<RefusedRequests, 'refused' | 'answer'> {
  cancelled: number;
  /** Some recipients of the cancelled messages, and how many there are. */
  cancelledTo: string[];
  cancelledRecipients: number;
  /** Null for a payment before which no end was reported. */
  refused: number | null;
}

/**
 * The {@link PlanLoss} of the alert of this alias: since the end that it reports, or since the end before the payment
 * that it reports.
 */
export function planLoss(alias: string) {
  const alert = sql.identifier(alias);
  const paidBefore = sql`coalesce((select max(p.created_at) from payments p
    where p.account_id = ${alert}.account_id and p.created_at < ${alert}.happened_at), '-infinity')`;
  // A payment that is recorded for a past day ends the plan: then both have one time, without its microseconds.
  const since = sql`case ${alert}.kind when 'plan_ended' then ${alert}.happened_at else (
    select max(k.happened_at) from alerts k where k.account_id = ${alert}.account_id and k.kind = 'plan_ended'
      and k.happened_at < ${alert}.happened_at and k.happened_at > ${paidBefore} - interval '1 second') end`;
  const until = sql`case ${alert}.kind when 'plan_ended' then coalesce(${alert}.ended_at, 'infinity') else ${alert}.happened_at end`;
  const refused = refusedRequests(
    alias,
    sql`q.error_code = 'plan_inactive' and q.at >= off.since and q.at < off.until`,
  );
  return sql`
    select cancelled.*, case when off.since is not null then refused.refused end as refused, refused."to", refused.recipients
    from (select ${since} as since, ${until} as until) off
      cross join lateral (
        select count(*)::int as cancelled, count(distinct c.person)::int as "cancelledRecipients",
          coalesce((array_agg(distinct c.person))[1:${RECIPIENTS_MAX}::int], '{}') as "cancelledTo"
        from (
          select regexp_replace(m.recipient, '@c[.]us$', '') as person from messages m
          where m.account_id = ${alert}.account_id and m.status = 'cancelled' and m.error_code = 'plan_ended'
            -- Not those of a number that a smaller plan left out.
            and m.outcome ->> 'say' <> 'excess' and m.settled_at > ${paidBefore} and m.settled_at < off.until) c) cancelled
      cross join lateral (${refused}) refused`;
}
