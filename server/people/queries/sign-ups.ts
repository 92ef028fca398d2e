import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { msFromNow, now } from '#server/platform/db/expressions.ts';
import { signUps } from '#server/schema/index.ts';

export interface SignUpRow {
  email: string;
  passwordHash: string;
  /** Null if the user joins an account by an invitation. */
  accountName: string | null;
  invitationHash: string | null;
}

const holds = gt(signUps.expiresAt, now);

export async function insertSignUp(
  db: Db,
  params: SignUpRow & { tokenHash: string; holdsForMs: number },
): Promise<void> {
  const { holdsForMs, ...row } = params;
  await db.insert(signUps).values({ ...row, expiresAt: msFromNow(holdsForMs) });
}

/** Who signed up with this link; null when it is unknown, used or expired. */
export async function findSignUp(db: Db, params: { tokenHash: string }): Promise<SignUpRow | null> {
  const { email, passwordHash, accountName, invitationHash } = signUps;
  const [found] = await db
    .select({ email, passwordHash, accountName, invitationHash })
    .from(signUps)
    .where(and(eq(signUps.tokenHash, params.tokenHash), holds));
  return found ?? null;
}

/** Uses a link; false when it was used already. */
export async function takeSignUp(db: Db, params: { tokenHash: string }): Promise<boolean> {
  const gone = await db
    .delete(signUps)
    .where(and(eq(signUps.tokenHash, params.tokenHash), holds))
    .returning({ tokenHash: signUps.tokenHash });
  return gone.length === 1;
}

/** Deletes the sign-ups of an address that now belongs to a user. */
export async function deleteSignUpsOf(db: Db, params: { email: string }): Promise<void> {
  await db.delete(signUps).where(sql`lower(${signUps.email}) = lower(${params.email})`);
}
