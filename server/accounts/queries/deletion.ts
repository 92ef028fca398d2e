import { randomBytes } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import { deleteInvitationsBy, deleteInvitationsTo } from '#server/people/queries/invitations.ts';
import type { Db } from '#server/platform/db/client.ts';
import { accounts, apiKeys, memberships, users } from '#server/schema/index.ts';

/** A deleted account's keys answer 401 from now on. */
export async function revokeAllKeys(db: Db, params: { accountId: string }): Promise<void> {
  await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, clock_timestamp())` })
    .where(eq(apiKeys.accountId, params.accountId));
}

export interface OnlyMember {
  userId: string;
  admin: boolean;
}

/** The people who belong to this account and to no other: they go with it. */
export function listOnlyMembers(db: Db, params: { accountId: string }): Promise<OnlyMember[]> {
  return db
    .select({ userId: users.id, admin: users.admin })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.accountId, params.accountId),
        sql`not exists (select from memberships o where o.user_id = ${users.id} and o.account_id <> ${memberships.accountId})`,
      ),
    )
    .orderBy(asc(users.id))
    .for('update', { of: users });
}

/** Whether somebody else than these people is an administrator. */
export async function hasOtherAdmin(db: Db, params: { userIds: string[] }): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from users where admin and disabled_at is null
      and id <> all(${sql.param(params.userIds)}::text[]) limit 1`);
  return rows.length > 0;
}

/** Takes everybody out of an account and deletes those people; their sign-ins and invitations go with them. */
export async function deletePeople(db: Db, params: { accountId: string; userIds: string[] }): Promise<void> {
  await db.delete(memberships).where(eq(memberships.accountId, params.accountId));
  await deleteInvitationsTo(db, params);
  for (const userId of params.userIds) {
    // Before the user: a link whose maker is unknown would be taken for the operator's.
    await deleteInvitationsBy(db, { userId, accountId: null });
    await db.delete(users).where(eq(users.id, userId));
  }
}

/**
 * Puts one meaningless name in the place of each actor of an account's entries, and of each of these people
 * wherever they acted, and takes the addresses away. Who did several things stays one and the same.
 */
export async function pseudonymise(
  db: Db,
  params: { accountId: string; userIds: string[] },
): Promise<number> {
  const salt = randomBytes(16).toString('hex');
  const { rows } = await db.execute(sql`
    update audit_actors t set address = null,
      user_id = case when t.user_id is null or t.user_id like 'erased-%' then t.user_id
        else 'erased-' || left(encode(sha256(convert_to(${salt} || t.user_id, 'UTF8')), 'hex'), 16) end
    from audit_log l
    where l.id = t.audit_id
      and (l.account_id = ${params.accountId} or t.user_id = any(${sql.param(params.userIds)}::text[]))
    returning 1`);
  return rows.length;
}

/** From now on nobody reaches the account. */
export async function markDeleted(db: Db, params: { accountId: string }): Promise<void> {
  await db
    .update(accounts)
    .set({ deletedAt: sql`clock_timestamp()`, name: 'Deleted account' })
    .where(eq(accounts.id, params.accountId));
}
