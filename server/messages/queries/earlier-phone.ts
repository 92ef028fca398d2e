import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { messages, numbers } from '#server/schema/index.ts';

/**
 * The phone (digits) that a message was sent from, if the number has been linked to another one since; its `phone`
 * is null if the audit log does not have it. Null if the number has the same phone, or nothing was sent.
 */
export async function findEarlierPhone(
  db: Db,
  params: { accountId: string; messageId: string },
): Promise<{ phone: string | null } | null> {
  // The first change after the message names the phone before it.
  const changedFrom = sql<string | null>`(
    select l.detail ->> 'from' from audit_log l
    where l.action = 'number.replace_phone' and l.target = ${messages.numberId} and l.created_at > ${messages.dispatchedAt}
    order by l.id limit 1)`;
  const [found] = await db
    .select({ phone: changedFrom })
    .from(messages)
    .innerJoin(numbers, eq(numbers.id, messages.numberId))
    .where(
      and(
        eq(messages.id, params.messageId),
        eq(messages.accountId, params.accountId),
        lt(messages.dispatchedAt, numbers.linkedAt),
      ),
    );
  return found ?? null;
}
