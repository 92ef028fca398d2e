import { and, asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { pick } from '#server/core/pick.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import { IS_KEPT_BACK, KEPT_UNTIL } from '#server/messages/queries/new-contacts.ts';
import { SLOT_IN_MS } from '#server/messages/queries/slots.ts';
import type { Db } from '#server/platform/db/client.ts';
import { leases, messages, numbers } from '#server/schema/index.ts';
import type { NumberRef } from './numbers.ts';

// The aliases that the conditions of claim and admission use.
const m = alias(messages, 'm');
const l = alias(leases, 'l');

/** A number's waiting messages, in the order of admission. */
export async function listWaiting(db: Db, params: NumberRef & { limit: number }) {
  const { accountId, numberId, limit } = params;
  const keptBackMs = sql`(extract(epoch from ${KEPT_UNTIL} - clock_timestamp()) * 1000)::float8`;
  return (
    db
      .select({
        ...pick(m, 'id', 'recipient', 'type', 'lane', 'content', 'reference', 'setAside'),
        /** Its file is not fetched yet. */
        awaitsMedia: sql<boolean>`${eq(m.mediaStatus, 'pending')}`,
        /** The time until it may be sent, in ms, if it is kept back because its recipient is new; else null. */
        keptBackMs: sql<number | null>`case when ${IS_KEPT_BACK} then ${keptBackMs} end`,
        /** Until the time it is scheduled for, in ms; null when it is not scheduled for later. */
        scheduledMs: sql<number | null>`case when ${isScheduled('m')}
          then (extract(epoch from m.send_at - statement_timestamp()) * 1000)::float8 end`,
        sendAt: sql<string | null>`to_json(m.send_at)#>>'{}'`,
        /** ISO 8601, as the other times. */
        createdAt: sql<string>`to_json(m.created_at)#>>'{}'`,
        deadlineAt: sql<string>`to_json(m.deadline_at)#>>'{}'`,
      })
      .from(m)
      // The same literal as in the index of waiting messages, so that every plan can use the index.
      .where(and(eq(m.numberId, numberId), eq(m.accountId, accountId), sql`${m.status} = 'queued'`))
      .orderBy(asc(m.seq))
      .limit(limit)
  );
}

export type WaitingRow = Awaited<ReturnType<typeof listWaiting>>[number];

/** How many slots of a number were claimed, and until its next one, in ms (0 or less: now). */
export async function findSlot(db: Db, params: NumberRef): Promise<{ slots: number; slotInMs: number }> {
  const [row] = await db
    .select({ slots: l.slots, slotInMs: SLOT_IN_MS })
    .from(l)
    .innerJoin(numbers, eq(numbers.id, l.numberId))
    .where(and(eq(numbers.id, params.numberId), eq(numbers.accountId, params.accountId)));
  return row ?? { slots: 0, slotInMs: 0 };
}
