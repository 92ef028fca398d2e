import { eq } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { installation } from '#server/schema/index.ts';

/** Stores a fact about the installation and replaces an earlier value. */
export async function putFact(db: Db, fact: { key: string; value: string }): Promise<void> {
  await db
    .insert(installation)
    .values(fact)
    .onConflictDoUpdate({ target: installation.key, set: { value: fact.value } });
}

/** Stores a fact about the installation, unless the key has a value. */
export async function putFactOnce(db: Db, fact: { key: string; value: string }): Promise<void> {
  await db.insert(installation).values(fact).onConflictDoNothing();
}

/** The value of a fact; null if there is none with this key. */
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
