import { and, desc, eq, sql } from 'drizzle-orm';
import type { Cause } from '#server/core/number/cause.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import type { Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { numberEvents, numbers } from '#server/schema/index.ts';
import { itself, type NumberRef } from './numbers.ts';

/** Sets the state of a number without a session, with an entry in its history if the state changes. */
export async function setStatus(
  db: Db,
  params: NumberRef & { status: NumberStatus; cause: Cause | null },
): Promise<void> {
  const { status, cause } = params;
  const { rowCount } = await db
    .update(numbers)
    .set({ status, cause, blockedUntil: null, statusSince: now })
    .where(and(itself(params), sql`${numbers.status} <> ${status}`));
  if (rowCount === 1) await db.insert(numberEvents).values({ numberId: params.numberId, status, cause });
}

/** The states that a number went through, newest first. */
export function listNumberEvents(db: Db, params: NumberRef & { limit: number }) {
  return db
    .select({ status: numberEvents.status, cause: numberEvents.cause, at: numberEvents.at })
    .from(numberEvents)
    .innerJoin(numbers, eq(numbers.id, numberEvents.numberId))
    .where(itself(params))
    .orderBy(desc(numberEvents.id))
    .limit(params.limit);
}
