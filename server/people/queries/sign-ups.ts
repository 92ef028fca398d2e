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

/**
 * Uses a link, and deletes the other sign-ups of its address, which now belongs to a user. In one statement, so that two
 * links of an address do not wait for each other. False when it was used already.
 */
export async function takeSignUp(db: Db, params: { email: string; tokenHash: string }): Promise<boolean> {
  const gone = await db
    .delete(signUps)
    .where(sql`lower(${signUps.email}) = lower(${params.email})`)
    .returning({ tokenHash: signUps.tokenHash });
  return gone.some(({ tokenHash }) => tokenHash === params.tokenHash);
}
