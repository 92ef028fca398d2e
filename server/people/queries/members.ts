import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { memberships, users } from '#server/schema/index.ts';

export type Role = 'owner' | 'member';

/** The members of an account, owners first. */
export function listMemberRows(db: Db, params: { accountId: string }) {
  return db
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      since: memberships.createdAt,
      confirmed: sql<boolean>`${users.emailConfirmedAt} is not null`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.accountId, params.accountId))
    .orderBy(sql`${memberships.role} <> 'owner'`, asc(memberships.createdAt), asc(users.id));
}

export type MemberRow = Awaited<ReturnType<typeof listMemberRows>>[number];

/** Makes a user a member of an account; false when they are one already. */
export async function insertMember(
  db: Db,
  params: { accountId: string; userId: string; role: Role },
): Promise<boolean> {
  const { rowCount } = await db.insert(memberships).values(params).onConflictDoNothing();
  return rowCount === 1;
}

export async function setMemberRole(
  db: Db,
  params: { accountId: string; userId: string; role: Role },
): Promise<void> {
  const { userId, role } = params;
  await db
    .update(memberships)
    .set({ role })
    .where(and(eq(memberships.accountId, params.accountId), eq(memberships.userId, userId)));
}

export async function deleteMember(db: Db, params: { accountId: string; userId: string }): Promise<void> {
  const { userId } = params;
  await db
    .delete(memberships)
    .where(and(eq(memberships.accountId, params.accountId), eq(memberships.userId, userId)));
}
