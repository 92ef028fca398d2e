import { and, eq, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { PageCheck } from '#server/core/page-check.ts';
import { leaseOf } from '#server/numbers/queries/leases.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { leases, numberChecks } from '#server/schema/index.ts';

/** Asks the number's worker for a self-test of its page. */
export async function askForCheck(db: Db, { numberId }: { numberId: string }): Promise<void> {
  const asked = { askedAt: sql`clock_timestamp()`, answeredAt: null, result: null };
  await db
    .insert(numberChecks)
    .values({ numberId, ...asked })
    .onConflictDoUpdate({ target: numberChecks.numberId, set: asked });
}

/** The last self-test that was asked for; null if none was. */
export async function findCheck(
  db: Db,
  { numberId }: { numberId: string },
): Promise<{ askedAt: Date; answeredAt: Date | null; result: PageCheck | null } | null> {
  const [row] = await db.select().from(numberChecks).where(eq(numberChecks.numberId, numberId));
  return row ?? null;
}

/** Stores a worker's answer, under its fence. */
export async function writeCheck(
  { db }: Database,
  holding: Holding,
  result: PageCheck | null,
): Promise<void> {
  await db
    .update(numberChecks)
    .set({ answeredAt: sql`clock_timestamp()`, result })
    .from(leases)
    .where(and(eq(numberChecks.numberId, leases.numberId), leaseOf(holding)));
}
