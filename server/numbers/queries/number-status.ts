import { and, eq, isNull, sql } from 'drizzle-orm';
import type { SendConditions } from '#server/core/number-sign.ts';
import { shownStatus } from '#server/core/number-state.ts';
import type { Db } from '#server/platform/db/client.ts';
import { msSince, msUntil } from '#server/platform/db/expressions.ts';
import { leases, numbers } from '#server/schema/index.ts';

type ShownState = Pick<SendConditions, 'status' | 'blockedLeftMs'>;

/** The time until a BLOCKED number of this alias connects again automatically, in ms; else null. */
export function blockedLeftMs(alias: string) {
  const n = sql.identifier(alias);
  return sql<number | null>`case when ${n}.status = 'BLOCKED' and ${n}.intent = 'run'
    then (extract(epoch from ${n}.blocked_until - clock_timestamp()) * 1000)::float8 end`;
}

/** What decides a number's shown state. */
export const storedState = {
  status: numbers.status,
  suspended: sql<boolean>`${numbers.suspendedAt} is not null`,
  blockedLeftMs: blockedLeftMs('numbers'),
  leaseSilentMs: msSince(leases.renewedAt),
  moveGraceMs: msUntil(numbers.movingUntil),
};

/** A number's state as readers see it now, and for how long WhatsApp refuses it; UNLINKED when it is removed. */
export async function shownNumberState(db: Db, params: { numberId: string }): Promise<ShownState> {
  const [row] = await db
    .select(storedState)
    .from(numbers)
    .leftJoin(leases, eq(leases.numberId, numbers.id))
    .where(and(eq(numbers.id, params.numberId), isNull(numbers.removedAt)));
  return row ? { status: shownStatus(row), blockedLeftMs: row.blockedLeftMs } : { status: 'UNLINKED' };
}
