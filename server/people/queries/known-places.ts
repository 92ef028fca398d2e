import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { knownPlaces } from '#server/schema/index.ts';

/** The most places of a user; a new one replaces the oldest. */
const MOST_OF_USER = 40;

/** Which of these places a user has signed in from before, without a query of `users`. */
export async function findKnownPlaces(
  db: Db,
  params: { who: string; places: readonly string[] },
): Promise<string[]> {
  const { who, places } = params;
  const rows = await db
    .select({ place: knownPlaces.place })
    .from(knownPlaces)
    .where(and(eq(knownPlaces.who, who), inArray(knownPlaces.place, [...places])));
  return rows.map(({ place }) => place);
}

export async function putKnownPlaces(
  db: Db,
  params: { userId: string; who: string; places: readonly string[] },
): Promise<void> {
  const { userId, who, places } = params;
  await db
    .insert(knownPlaces)
    .values(places.map((place) => ({ who, place, userId, seenAt: now })))
    .onConflictDoUpdate({
      target: [knownPlaces.who, knownPlaces.place],
      set: { seenAt: now },
      setWhere: sql`known_places.user_id = excluded.user_id`,
    });
  // By `ctid`, which no column of the schema names.
  await db.run(sql`
    delete from known_places k where k.user_id in (${userId}) and k.ctid not in (
      select n.ctid from known_places n where n.user_id = k.user_id order by n.seen_at desc limit ${MOST_OF_USER})`);
}

export async function deleteKnownPlaces(db: Db, params: { userId: string }): Promise<void> {
  await db.delete(knownPlaces).where(eq(knownPlaces.userId, params.userId));
}
