import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Db } from '#server/platform/db/client.ts';
import { countIf } from '#server/platform/db/expressions.ts';
import { messages } from '#server/schema/index.ts';

const countOf = (...statuses: MessageStatus[]) => countIf(inArray(messages.status, statuses));

/** How many messages had each outcome. */
export interface OutcomeCounts {
  /** Accepted by WhatsApp, and perhaps delivered or read. */
  sent: number;
  failed: number;
  unknown: number;
  /** Expired or cancelled. */
  notSent: number;
  /** Waiting or being sent. */
  open: number;
}

/** Outcomes of the stored messages that were accepted in this month of `timeZone`. */
export async function countMonth(
  db: Db,
  params: { accountId: string; timeZone: string },
): Promise<OutcomeCounts & { month: string }> {
  const { accountId, timeZone } = params;
  const [row] = await db
    .select({
      month: sql<string>`to_char(clock_timestamp() at time zone ${timeZone}, 'YYYY-MM')`,
      sent: countOf('sent', 'delivered', 'read'),
      failed: countOf('failed'),
      unknown: countOf('unknown'),
      notSent: countOf('expired', 'cancelled'),
      open: countOf('queued', 'sending'),
    })
    .from(messages)
    .where(
      and(
        eq(messages.accountId, accountId),
        gte(messages.createdAt, sql`date_trunc('month', clock_timestamp(), ${timeZone})`),
      ),
    );
  if (!row) throw new Error('a count gave no row');
  return row;
}
