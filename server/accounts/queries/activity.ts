import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { isRefused } from '#server/requests/queries/is-refused.ts';

/** What happened in an hour or a day. */
export interface ActivityRow {
  /** When it began, on a clock in the asked time zone: `2026-11-23T14:00`. */
  at: string;
  sent: number;
  failed: number;
  unknown: number;
  /** Requests. */
  refused: number;
}

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
    /** IANA name; days begin at its midnight. */
    timeZone: string;
    unit: 'hour' | 'day';
    count: number;
  },
): Promise<ActivityRow[]> {
  const { accountId, numberId, timeZone, unit, count } = params;
  const step = sql`${`1 ${unit}`}::interval`;
  const inZone = (column: string) => sql`date_trunc(${unit}, ${sql.raw(column)} at time zone ${timeZone})`;
  const now = sql`date_trunc(${unit}, clock_timestamp() at time zone ${timeZone})`;
  const from = sql`clock_timestamp() - ${count + 1} * ${step}`;
  const counts = (
    number: string,
  ) => sql`case when ${numberId}::text is not null then ${sql.raw(number)}.id = ${numberId}
    else ${sql.raw(number)}.network = 'whatsapp' or not exists (select from numbers r
      where r.account_id = ${accountId} and r.network = 'whatsapp' and r.first_linked_at is not null) end`;
  // SQL: the builder has no `generate_series`, which gives a row also to times without messages.
  const { rows } = await db.execute<{ at: string } & Record<keyof Omit<ActivityRow, 'at'>, number>>(sql`
    with counted as (
      select ${inZone('m.created_at')} as at,
        count(*) filter (where m.status in ('sent', 'delivered', 'read')) as sent,
        count(*) filter (where m.status = 'failed') as failed,
        count(*) filter (where m.status = 'unknown') as unknown, 0 as refused
      from messages m join numbers n on n.id = m.number_id
      where m.account_id = ${accountId} and m.created_at > ${from} and ${counts('n')} group by 1
      union all
      select ${inZone('q.at')}, 0, 0, 0, count(*)
      from requests q join numbers n on n.id = q.number_id
      where q.account_id = ${accountId} and ${sql.raw(isRefused('q'))} and q.at > ${from} and ${counts('n')} group by 1)
    select to_char(t.at, 'YYYY-MM-DD"T"HH24:MI') as at, coalesce(sum(c.sent), 0)::int as sent,
      coalesce(sum(c.failed), 0)::int as failed, coalesce(sum(c.unknown), 0)::int as unknown,
      coalesce(sum(c.refused), 0)::int as refused
    from generate_series(${now} - (${count}::int - 1) * ${step}, ${now}, ${step}) t(at)
      left join counted c on c.at = t.at
    group by t.at order by t.at`);
  return rows;
}
