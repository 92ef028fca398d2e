import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { recoveryCodes, users } from '#server/schema/index.ts';

export async function findSecondFactor(db: Db, params: { userId: string }) {
  const [found] = await db
    .select({
      /** Encrypted; null if none was proposed. */
      secret: users.totpSecret,
      /** Null while it is only proposed. */
      since: users.totpSince,
      recoveryCodesLeft: sql<number>`(select count(*)::int from recovery_codes r where r.user_id = users.id)`,
    })
    .from(users)
    .where(eq(users.id, params.userId));
  return found ?? null;
}

/** Stores a secret to confirm; false when one is in force already. */
export async function proposeSecret(db: Db, params: { userId: string; secret: string }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ totpSecret: params.secret, totpStep: 0 })
    .where(and(eq(users.id, params.userId), isNull(users.totpSince)));
  return rowCount === 1;
}

/** Puts the proposed secret in force; false when there is none, or one is in force already. */
export async function startSecondFactor(db: Db, params: { userId: string }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ totpSince: now })
    .where(and(eq(users.id, params.userId), isNull(users.totpSince), sql`${users.totpSecret} is not null`));
  return rowCount === 1;
}

/** Records that the code of a step was used; false when it, or a later one, was used before. */
export async function takeStep(db: Db, params: { userId: string; step: number }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ totpStep: params.step })
    .where(and(eq(users.id, params.userId), lt(users.totpStep, params.step)));
  return rowCount === 1;
}

export async function removeSecondFactorRow(db: Db, params: { userId: string }): Promise<boolean> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, params.userId));
  const { rowCount } = await db
    .update(users)
    .set({ totpSecret: null, totpSince: null })
    .where(and(eq(users.id, params.userId), sql`${users.totpSecret} is not null`));
  return rowCount === 1;
}

/** Replaces the user's codes. */
export async function putRecoveryCodes(
  db: Db,
  params: { userId: string; codeHashes: readonly string[] },
): Promise<void> {
  const { userId, codeHashes } = params;
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, params.userId));
  await db.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })));
}

/** Uses a code; false when the user does not have it. */
export async function takeRecoveryCode(
  db: Db,
  params: { userId: string; codeHash: string },
): Promise<boolean> {
  const { rowCount } = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, params.userId), eq(recoveryCodes.codeHash, params.codeHash)));
  return rowCount === 1;
}
