import { and, asc, eq, gt, inArray, isNotNull, isNull, min, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import { personOf, toOf } from '#server/core/recipient.ts';
import type { Database, Db, Tx } from '#server/platform/db/client.ts';
import { daysAgo, msSince, now } from '#server/platform/db/expressions.ts';
import { lookUps, numbers, recipientChecks, recipients } from '#server/schema/index.ts';
import { leaseIsHeld } from './leases.ts';
import { REMEMBERED } from './look-ups.ts';

/** What is known about a phone without asking WhatsApp. */
export interface KnownPhone {
  digits: string;
  found: boolean;
  at: Date;
}

/** Which of these phones a number recently looked up, or has exchanged messages with. A phone may appear twice. */
export async function listKnownPhones(
  db: Db,
  params: { numberId: string; digits: readonly string[] },
): Promise<KnownPhone[]> {
  const { digits } = params;
  const people = digits.map(personOf);
  const [lookedUp, met] = await Promise.all([
    db
      .select({ digits: lookUps.digits, found: lookUps.found, at: lookUps.at })
      .from(lookUps)
      .innerJoin(numbers, eq(numbers.id, lookUps.numberId))
      .where(
        and(
          eq(lookUps.numberId, params.numberId),
          inArray(lookUps.digits, [...digits]),
          gt(lookUps.at, sql`clock_timestamp() - ${REMEMBERED}`),
        ),
      ),
    db
      .select({ recipient: recipients.recipient, at: recipients.knownAt })
      .from(recipients)
      .where(
        and(
          eq(recipients.numberId, params.numberId),
          inArray(recipients.recipient, people),
          isNotNull(recipients.knownAt),
        ),
      ),
  ]);
  return [
    ...lookedUp,
    ...met.map(({ recipient, at }) => ({ digits: toOf(recipient), found: true, at: at as Date })),
  ];
}

/**
 * How many look-ups a number was asked for in the last 24 hours, and how long ago the first was; and how many of these
 * phones still wait for theirs.
 */
export async function countChecks(
  tx: Tx,
  params: { numberId: string; digits: readonly string[] },
): Promise<{ count: number; firstAgoMs: number | null; waiting: number }> {
  const [row] = await tx
    .select({
      count: sql<number>`coalesce(sum(${recipientChecks.asks}), 0)::int`,
      firstAgoMs: msSince(min(recipientChecks.askedAt)),
      waiting: sql<number>`(count(*) filter (where ${and(isNull(recipientChecks.settledAt), inArray(recipientChecks.digits, [...params.digits]))}))::int`,
    })
    .from(recipientChecks)
    .where(and(eq(recipientChecks.numberId, params.numberId), gt(recipientChecks.askedAt, daysAgo(1))));
  return row ?? { count: 0, firstAgoMs: null, waiting: 0 };
}

/** Queues phones for a look-up by the number's worker, and wakes it. Phones that already wait keep their place. */
export async function queueChecks(
  tx: Tx,
  params: { numberId: string; digits: readonly string[] },
): Promise<void> {
  const { numberId, digits } = params;
  await tx
    .insert(recipientChecks)
    .values(digits.map((one) => ({ numberId, digits: one })))
    .onConflictDoUpdate({
      target: [recipientChecks.numberId, recipientChecks.digits],
      set: {
        ...{ askedAt: now, settledAt: null },
        asks: sql`case when ${recipientChecks.askedAt} > ${daysAgo(1)} then ${recipientChecks.asks} + 1 else 1 end`,
      },
      setWhere: isNotNull(recipientChecks.settledAt),
    });
  await tx.run(sql`select pg_notify('wirebird_number', ${numberId})`);
}

/** The phone that has waited longest on a number of this worker; null when none waits. */
export async function nextCheck(database: Database, { numberId }: Holding): Promise<string | null> {
  const [row] = await database.db
    .select({ digits: recipientChecks.digits })
    .from(recipientChecks)
    .where(and(eq(recipientChecks.numberId, numberId), isNull(recipientChecks.settledAt)))
    .orderBy(asc(recipientChecks.askedAt), asc(recipientChecks.digits))
    .limit(1);
  return row?.digits ?? null;
}

/**
 * Ends the wait of the phone that was looked up, or with `digits` null of all phones, which are given up and do not
 * count.
 */
export async function settleChecks(
  database: Database,
  holding: Holding,
  { digits }: { digits: string | null },
): Promise<void> {
  await database.db
    .update(recipientChecks)
    .set({ settledAt: now, ...(digits === null && { asks: sql`${recipientChecks.asks} - 1` }) })
    .where(
      and(
        eq(recipientChecks.numberId, holding.numberId),
        leaseIsHeld(database.db, holding),
        isNull(recipientChecks.settledAt),
        digits === null ? undefined : eq(recipientChecks.digits, digits),
      ),
    );
}
