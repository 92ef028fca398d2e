import { type SQL, sql } from 'drizzle-orm';
import { countedMessages, startOf, sumOf } from '#server/messages/queries/message-counts.ts';
import type { Db } from '#server/platform/db/client.ts';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';

/**
 * Outcomes in each of the last `count` hours or days including the current one, oldest first: of one number, or of
 * the real network, or of the sandbox until the first real number is linked.
 */
export async function countActivity(
  db: Db,
  params: {
    accountId: string;
    /** Null: all numbers. */
    numberId: string | null;
    /** That of the account's counts; days begin at its midnight. */
    timeZone: string;
    unit: 'hour' | 'day';
    count: number;
  },
) {
  const { accountId, numberId, timeZone, unit, count } = params;
  const step = sql`${`1 ${unit}`}::interval`;
  const inZone = (column: SQL) => sql`date_trunc(${unit}, ${column} at time zone ${timeZone})`;
  const current = sql`date_trunc(${unit}, now() at time zone ${timeZone})`;
  // One more than is shown, for a day of 25 hours. What is not shown meets no row below.
  const from = sql`${startOf(unit, timeZone)} - ${count}::int * ${step}`;
  // Of the number `n`.
  const shown = sql`case when ${numberId}::text is not null then n.id = ${numberId}
    else n.network = 'whatsapp' or not exists (select from numbers r
      where r.account_id = ${accountId} and r.network = 'whatsapp' and r.first_linked_at is not null) end`;
  // SQL: the builder has no `generate_series`, which gives a row also to times without messages.
  return db.run<{
    /** When the hour or day began, on a clock in the asked time zone: `2026-11-23T14:00`. */
    at: string;
    sent: number;
    failed: number;
    unknown: number;
    /** Expired or cancelled. */
    notSent: number;
    /** Requests to send. */
    refused: number;
  }>(sql`
    with happened as (
      select ${inZone(sql`g.at`)} as at, g.outcome, g.n
      from (select m.at, m.outcome, sum(m.n) as n from ${countedMessages({ accountId, unit, from })} m
        join numbers n on n.id = m.number_id where ${shown} group by 1, 2) g
      union all
      select ${inZone(sql`q.at`)}, 'refused', count(*)
      from requests q join numbers n on n.id = q.number_id
      where q.account_id = ${accountId} and ${isRefusedSend('q')} and q.at > ${from} and ${shown} group by 1)
    select to_char(t.at, 'YYYY-MM-DD"T"HH24:MI') as at, ${sumOf('sent')} as sent, ${sumOf('failed')} as failed,
      ${sumOf('unknown')} as unknown, ${sumOf('expired', 'cancelled')} as "notSent",
      coalesce(sum(n) filter (where outcome = 'refused'), 0)::int as refused
    from generate_series(${current} - (${count}::int - 1) * ${step}, ${current}, ${step}) t(at)
      left join happened h on h.at = t.at
    group by t.at order by t.at`);
}
