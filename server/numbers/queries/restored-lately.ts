import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { messages, numbers } from '#server/schema/index.ts';
import { itself, type NumberRef } from './numbers.ts';

/** Messages that the last restore left in one state. */
export interface RestoredMessages {
  count: number;
  /** When the oldest and the newest of them were accepted; null if there are none. */
  oldest: Date | null;
  newest: Date | null;
}

export interface RestoredLatelyRow {
  /** Messages whose records a restore lost, such as `3 messages (3 sent)`, and when its backup was made; otherwise null. */
  missing: { lost: string; madeAt: string } | null;
  unknown: RestoredMessages;
  expired: RestoredMessages & {
    /** How many of them a move expired, and not a restore. */
    moved: number;
  };
}

/** What became of a number's messages by a restore of the last 7 days; null when the account has no such number. */
export async function findRestoredLately(db: Db, params: NumberRef): Promise<RestoredLatelyRow | null> {
  const of = (status: 'unknown' | 'expired') => {
    const these = sql`filter (where ${messages.status} = ${status})`;
    return {
      count: sql<number>`(count(${messages.id}) ${these})::int`,
      oldest: sql<Date | null>`min(${messages.createdAt}) ${these}`.mapWith(messages.createdAt),
      newest: sql<Date | null>`max(${messages.createdAt}) ${these}`.mapWith(messages.createdAt),
    };
  };
  const [found] = await db
    .select({
      // SQL: the newest entry of the audit log about it.
      missing: sql<RestoredLatelyRow['missing']>`(
        select json_build_object('lost', l.detail ->> 'lost', 'madeAt', l.detail ->> 'madeAt') from audit_log l
        where l.action = 'installation.restore' and l.target = ${numbers.id}
          and l.created_at > clock_timestamp() - interval '7 days' and l.detail ? 'madeAt'
        order by l.id desc limit 1)`,
      unknown: of('unknown'),
      expired: {
        ...of('expired'),
        moved: sql<number>`(count(*) filter (where ${messages.outcome} ->> 'say' = 'moved'))::int`,
      },
    })
    .from(numbers)
    .leftJoin(
      messages,
      and(
        eq(messages.numberId, numbers.id),
        inArray(messages.status, ['unknown', 'expired']),
        isNull(messages.dismissedAt),
        sql`${messages.settledAt} > clock_timestamp() - interval '7 days'`,
        sql`exists (select from message_events e where e.message_id = ${messages.id} and e.detail = 'restored')`,
      ),
    )
    .where(itself(params))
    .groupBy(numbers.id);
  return found ?? null;
}
