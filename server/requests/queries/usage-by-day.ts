import { type SQL, sql } from 'drizzle-orm';
import { countedMessages, startOf, sumOf } from '#server/messages/queries/message-counts.ts';
import type { Db } from '#server/platform/db/client.ts';
import { isRefusedSend } from './is-refused.ts';

/** What a key did on a day: messages that were sent or failed, and requests that were refused. */
export interface UsageRow {
  /** `YYYY-MM-DD` */
  day: string;
  /** Null for messages from the dashboard. */
  keyId: string | null;
  numberId: string | null;
  sent: number;
  failed: number;
  refused: number;
}

/**
 * An account's usage on each of the last `days` days including today. `timeZone`: that of the account's counts.
 */
export async function countUsageByDay(
  db: Db,
  params: { accountId: string; timeZone: string; days: number },
): Promise<UsageRow[]> {
  const { accountId, timeZone, days } = params;
  // Within the first day, also where a day has 23 or 25 hours.
  const from = sql`((${startOf('day', timeZone)} at time zone ${timeZone}) - (${days}::int - 1) * interval '1 day') at time zone ${timeZone}`;
  const day = (column: SQL) => sql`to_char(${column} at time zone ${timeZone}, 'YYYY-MM-DD')`;
  // SQL: counts and requests are read separately, then added up by day, key and number.
  return db.run<UsageRow>(sql`
    with used as (
      select ${day(sql`m.at`)} as day, nullif(m.api_key_id, '') as "keyId", m.number_id as "numberId", m.outcome, m.n
      from ${countedMessages({ accountId, unit: 'day', from })} m where m.outcome in ('sent', 'failed')
      union all
      select ${day(sql`r.at`)}, r.key_id, r.number_id, 'refused', count(*)
      from requests r where r.account_id = ${accountId} and ${isRefusedSend('r')} and r.at >= ${from} group by 1, 2, 3)
    select day, "keyId", "numberId", ${sumOf('sent')} as sent, ${sumOf('failed')} as failed,
      coalesce(sum(n) filter (where outcome = 'refused'), 0)::int as refused
    from used group by 1, 2, 3 having sum(n) <> 0 order by 1 desc, 2, 3`);
}
