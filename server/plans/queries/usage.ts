import { sql } from 'drizzle-orm';
import { countedMessages, startOf, sumOf } from '#server/messages/queries/message-counts.ts';
import type { Db } from '#server/platform/db/client.ts';

/** Outcomes of the messages that were accepted in this month of `timeZone`, which is that of the account's counts. */
export async function countMonth(db: Db, params: { accountId: string; timeZone: string }) {
  const { accountId, timeZone } = params;
  const counted = countedMessages({ accountId, unit: 'day', from: startOf('month', timeZone) });
  // SQL: sums over a union, and for each number a look into the index of waiting messages and into that of open ones.
  const rows = await db.run<{
    /** `YYYY-MM` */
    month: string;
    /** Accepted by WhatsApp, and perhaps delivered or read. */
    sent: number;
    failed: number;
    unknown: number;
    /** Expired or cancelled. */
    notSent: number;
    /** Waiting or being sent. */
    open: number;
  }>(sql`
    select to_char(now() at time zone ${timeZone}, 'YYYY-MM') as month, ${sumOf('sent')} as sent, ${sumOf('failed')} as failed,
      ${sumOf('unknown')} as unknown, ${sumOf('expired', 'cancelled')} as "notSent",
      (select count(*)::int from numbers w join lateral (
        select created_at from messages where number_id = w.id and status = 'queued'
        union all
        select created_at from messages where number_id = w.id and status in ('sending', 'unknown') and status = 'sending') o on true
        where w.account_id = ${accountId} and o.created_at >= ${startOf('month', timeZone)}) as open
    from ${counted} m`);
  const [row] = rows;
  if (!row) throw new Error('a count gave no row');
  return row;
}
