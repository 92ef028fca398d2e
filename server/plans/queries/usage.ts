import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';

/** What became of messages. */
export interface OutcomeCounts {
  /** Accepted by WhatsApp, whatever came after. */
  sent: number;
  failed: number;
  unknown: number;
  /** Never sent: too late, or taken back. */
  notSent: number;
  /** Waiting, or on their way right now. */
  open: number;
}

/** Outcomes of the messages that were accepted in this month of `timeZone` and are still kept. */
export async function countMonth(
  db: Db,
  params: { accountId: string; timeZone: string },
): Promise<OutcomeCounts & { month: string }> {
  const { accountId, timeZone } = params;
  const {
    rows: [row],
  } = await db.execute<{ month: string } & Record<keyof OutcomeCounts, number>>(sql`
    select to_char(clock_timestamp() at time zone ${timeZone}, 'YYYY-MM') as month,
      count(*) filter (where m.status in ('sent', 'delivered', 'read'))::int as sent,
      count(*) filter (where m.status = 'failed')::int as failed,
      count(*) filter (where m.status = 'unknown')::int as unknown,
      count(*) filter (where m.status in ('expired', 'cancelled'))::int as "notSent",
      count(*) filter (where m.status in ('queued', 'sending'))::int as open
    from messages m
    where m.account_id = ${accountId}
      and m.created_at >= date_trunc('month', clock_timestamp(), ${timeZone})`);
  if (!row) throw new Error('a count gave no row');
  return row;
}
