import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import { deleteInvitationsBy, deleteInvitationsTo } from '#server/people/queries/invitations.ts';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { accounts, apiKeys, auditActors, auditLog, memberships, users } from '#server/schema/index.ts';

export async function revokeAllKeys(db: Db, params: { accountId: string }): Promise<void> {
  await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, clock_timestamp())` })
    .where(eq(apiKeys.accountId, params.accountId));
}

/**
 * The users who belong to this account only: they are deleted with it. All its members are locked first, and then read,
 * because one of them may be joining or leaving another account.
 */
export async function listOnlyMembers(tx: Tx, params: { accountId: string }) {
  const ofAccount = eq(memberships.accountId, params.accountId);
  await tx
    .select({ userId: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(ofAccount)
    .orderBy(asc(users.id))
    .for('update', { of: users });
  return tx
    .select({ userId: users.id, admin: users.admin })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        ofAccount,
        sql`not exists (select from memberships o where o.user_id = ${users.id} and o.account_id <> ${memberships.accountId})`,
      ),
    )
    .orderBy(asc(users.id));
}

/** Whether there is an administrator besides these users. Of several callers each waits for the one before. */
export async function hasOtherAdmin(tx: Tx, params: { userIds: string[] }): Promise<boolean> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('wirebird administrators', 0))`);
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.admin, true), isNull(users.disabledAt), notInArray(users.id, params.userIds)))
    .limit(1);
  return found.length > 0;
}

/** Removes all members of an account and deletes these users with their sign-ins and invitations. */
export async function deletePeople(db: Db, params: { accountId: string; userIds: string[] }): Promise<void> {
  await db.delete(memberships).where(eq(memberships.accountId, params.accountId));
  await deleteInvitationsTo(db, params);
  for (const userId of params.userIds) {
    // Deleted before the user, because an invitation without a maker counts as the operator's.
    await deleteInvitationsBy(db, { userId, accountId: null });
    await db.delete(users).where(eq(users.id, userId));
  }
}

/**
 * Replaces each actor of an account's entries, and each of these users in all entries, by a random name, and
 * deletes their addresses, with those from which others tried to sign in as these users. An actor of several entries gets the same name in all of them. Returns how many changed.
 */
export async function pseudonymise(
  db: Db,
  params: { accountId: string; userIds: string[] },
): Promise<number> {
  const salt = randomBytes(16).toString('hex');
  const { auditId, userId } = auditActors;
  const entries = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(eq(auditLog.accountId, params.accountId));
  const attempts = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.action, 'user.attempts'), inArray(auditLog.target, params.userIds)));
  const { rowCount } = await db
    .update(auditActors)
    .set({
      address: null,
      userId: sql`case when ${userId} is null or ${userId} like 'erased-%' then ${userId}
        else 'erased-' || left(encode(sha256(convert_to(${salt} || ${userId}, 'UTF8')), 'hex'), 16) end`,
    })
    .where(or(inArray(auditId, entries), inArray(auditId, attempts), inArray(userId, params.userIds)));
  return rowCount ?? 0;
}

/** Marks an account as deleted, so that nobody can open it. */
export async function markDeleted(db: Db, params: { accountId: string }): Promise<void> {
  await db
    .update(accounts)
    .set({ deletedAt: now, name: 'Deleted account', savedViews: {} })
    .where(eq(accounts.id, params.accountId));
}
