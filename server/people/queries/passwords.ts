import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { msFromNow, now } from '#server/platform/db/expressions.ts';
import { resetLinks, users } from '#server/schema/index.ts';

export async function setPasswordHash(
  db: Db,
  params: { userId: string; passwordHash: string },
): Promise<void> {
  await db.update(users).set({ passwordHash: params.passwordHash }).where(eq(users.id, params.userId));
}

export async function deleteResetLinks(db: Db, params: { userId: string }): Promise<void> {
  await db.delete(resetLinks).where(eq(resetLinks.userId, params.userId));
}

/** Makes a link that replaces the user's earlier ones. */
export async function putResetLink(
  db: Db,
  params: { userId: string; tokenHash: string; mailed: boolean; holdsForMs: number },
): Promise<void> {
  const { userId, tokenHash, mailed, holdsForMs } = params;
  await deleteResetLinks(db, { userId });
  await db.insert(resetLinks).values({
    userId,
    tokenHash,
    mailed,
    expiresAt: msFromNow(holdsForMs),
  });
}

/** Uses a link and returns whose it is; null when there is none, it was used, or it expired. */
export async function takeResetLink(
  db: Db,
  params: { tokenHash: string },
): Promise<{ userId: string; mailed: boolean } | null> {
  const [taken] = await db
    .delete(resetLinks)
    .where(eq(resetLinks.tokenHash, params.tokenHash))
    .returning({
      userId: resetLinks.userId,
      mailed: resetLinks.mailed,
      holds: sql<boolean>`${resetLinks.expiresAt} > clock_timestamp()`,
    });
  return taken?.holds ? taken : null;
}

/** Whose valid link this is; null when there is none. */
export async function findResetLink(
  db: Db,
  params: { tokenHash: string },
): Promise<{ userId: string; email: string } | null> {
  const [found] = await db
    .select({ userId: users.id, email: users.email })
    .from(resetLinks)
    .innerJoin(users, eq(users.id, resetLinks.userId))
    .where(
      and(
        eq(resetLinks.tokenHash, params.tokenHash),
        sql`${resetLinks.expiresAt} > clock_timestamp()`,
        isNull(users.disabledAt),
      ),
    );
  return found ?? null;
}

/** Disables a user, or enables them again; false when that changes nothing. */
export async function setDisabled(db: Db, params: { userId: string; disabled: boolean }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ disabledAt: params.disabled ? now : null })
    .where(and(eq(users.id, params.userId), sql`(${users.disabledAt} is null) = ${params.disabled}`));
  return rowCount === 1;
}
