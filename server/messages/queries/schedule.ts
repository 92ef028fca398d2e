import { and, asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#server/platform/db/client.ts';
import { countIf, msUntil } from '#server/platform/db/expressions.ts';
import { leases, messages, numbers } from '#server/schema/index.ts';
import { isScheduled } from './is-scheduled.ts';
import { SLOT_IN_MS } from './slots.ts';

// The aliases that the shared conditions use for these tables.
const m = alias(messages, 'm');
const l = alias(leases, 'l');

const later = isScheduled('m');

/** What decides when a scheduled message leaves. Times are in ms from now. */
export async function readScheduleAhead(db: Db, params: { numberId: string; sendAt: Date }) {
  const ofNumber = and(eq(m.numberId, params.numberId), sql`${m.status} = 'queued'`, eq(m.setAside, false));
  const [[number], [queue], due] = await Promise.all([
    db
      .select({
        sendIntervalSeconds: numbers.sendIntervalSeconds,
        protected: numbers.protected,
        network: numbers.network,
        slotInMs: sql<number>`coalesce(${SLOT_IN_MS}, 0)`,
      })
      .from(numbers)
      .leftJoin(l, eq(l.numberId, numbers.id))
      .where(eq(numbers.id, params.numberId)),
    db
      .select({ waiting: countIf(sql`not ${later}`) })
      .from(m)
      .where(ofNumber),
    db
      .select({ inMs: msUntil(m.sendAt) })
      .from(m)
      .where(and(ofNumber, later, sql`${m.sendAt} <= ${params.sendAt}`))
      .orderBy(asc(m.sendAt), asc(m.seq)),
  ]);
  if (!number) return null;
  return {
    ...number,
    /** Messages in the queue now. */
    waiting: queue?.waiting ?? 0,
    /** When the messages scheduled up to this one are due, in order; this one is the last. */
    dueInMs: due.map(({ inMs }) => inMs ?? 0),
  };
}
