import { eq } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { installation } from '#server/schema/index.ts';

/** Stores a fact of the installation, replacing the earlier one. */
export async function putFact(db: Db, fact: { key: string; value: string }): Promise<void> {
  await db
    .insert(installation)
    .values(fact)
    .onConflictDoUpdate({ target: installation.key, set: { value: fact.value } });
}

/** Stores a fact of the installation, unless there is one with that name. */
export async function putFactOnce(tx: Tx, fact: { key: string; value: string }): Promise<void> {
  await tx.insert(installation).values(fact).onConflictDoNothing();
}

/** Null if there is none with that name. */
export async function findFact(db: Db, params: { key: string }): Promise<string | null> {
  const [found] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, params.key));
  return found?.value ?? null;
}

/** Reads a fact and locks its row until the transaction ends; null if there is none. */
export async function lockFact(tx: Tx, params: { key: string }): Promise<string | null> {
  const [found] = await tx
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, params.key))
    .for('update');
  return found?.value ?? null;
}

export async function deleteFact(db: Db, params: { key: string }): Promise<void> {
  await db.delete(installation).where(eq(installation.key, params.key));
}
