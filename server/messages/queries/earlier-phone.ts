import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { messages, numbers } from '#server/schema/index.ts';

/**
 * Whether a message's number has been linked to another phone since it was sent or cancelled, and the phone (digits)
 * that it belonged to; null if the audit log does not have it. Null for no message.
 */
export async function findEarlierPhone(
  db: Db,
  params: { accountId: string; messageId: string },
): Promise<{ changed: boolean; phone: string | null } | null> {
  // One that was never sent belongs to the phone for which it was accepted, once it is settled.
  const at = sql`coalesce(${messages.dispatchedAt}, case when ${messages.settledAt} is not null then ${messages.createdAt} end)`;
  const changed = sql<boolean>`coalesce(${at} < ${numbers.linkedAt}, false)`;
  // The first change after the message names the phone before it.
  const phone = sql<string | null>`case when ${changed} then (
    select l.detail ->> 'from' from audit_log l
    where l.action = 'number.replace_phone' and l.target = ${messages.numberId} and l.created_at > ${at}
    order by l.id limit 1) end`;
  const [found] = await db
    .select({ changed, phone })
    .from(messages)
    .innerJoin(numbers, eq(numbers.id, messages.numberId))
    .where(and(eq(messages.id, params.messageId), eq(messages.accountId, params.accountId)));
  return found ?? null;
}
