import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { isRefused } from './is-refused.ts';

/** What a key did on a day: messages that were sent or failed, and requests that were refused. */
export interface UsageRow {
  /** `YYYY-MM-DD` */
  day: string;
  /** Null for messages from the dashboard, and where the key was deleted. */
  keyId: string | null;
  numberId: string | null;
  sent: number;
  failed: number;
  refused: number;
}

/** An account's usage on each of the last `days` days including today, which begin at midnight in `timeZone`. */
export async function countUsageByDay(
  db: Db,
  params: { accountId: string; timeZone: string; days: number },
): Promise<UsageRow[]> {
  const { accountId, timeZone, days } = params;
  const from = sql`date_trunc('day', clock_timestamp(), ${timeZone}) - (${days}::int - 1) * interval '1 day'`;
  const day = (column: string) => sql`to_char(${sql.raw(column)} at time zone ${timeZone}, 'YYYY-MM-DD')`;
  // SQL: two tables are counted separately, then added up by day, key and number.
  const { rows } = await db.execute<UsageRow & Record<string, unknown>>(sql`
    with counted as (
      select ${day('m.created_at')} as day, m.api_key_id as "keyId", m.number_id as "numberId",
        count(*) filter (where m.status in ('sent', 'delivered', 'read')) as sent,
        count(*) filter (where m.status = 'failed') as failed, 0 as refused
      from messages m where m.account_id = ${accountId} and m.created_at >= ${from} group by 1, 2, 3
      union all
      select ${day('r.at')}, r.key_id, r.number_id, 0, 0, count(*)
      from requests r where r.account_id = ${accountId} and ${sql.raw(isRefused('r'))} and r.at >= ${from} group by 1, 2, 3)
    select day, "keyId", "numberId", sum(sent)::int as sent, sum(failed)::int as failed, sum(refused)::int as refused
    from counted group by 1, 2, 3 order by 1 desc, 2, 3`);
  return rows;
}
