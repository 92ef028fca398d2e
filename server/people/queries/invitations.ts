import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { msFromNow, now } from '#server/platform/db/expressions.ts';
import { accounts, invitations, memberships, users } from '#server/schema/index.ts';
import type { Role } from './members.ts';

// Also checked at each use: an invitation that was made while its maker was removed is invalid.
const holds = and(
  gt(invitations.expiresAt, now),
  sql`exists (select from ${accounts} a where a.id = ${invitations.accountId} and a.deleted_at is null)`,
  sql`(${invitations.invitedBy} is null or exists (
    select from ${memberships} m join ${users} u on u.id = m.user_id
    where (m.account_id, m.user_id) = (${invitations.accountId}, ${invitations.invitedBy}) and m.role = 'owner' and u.disabled_at is null))`,
);

export async function insertInvitation(
  db: Db,
  invitation: Omit<typeof invitations.$inferSelect, 'createdAt' | 'expiresAt'> & { holdsForMs: number },
): Promise<{ expiresAt: Date }> {
  const { holdsForMs, ...rest } = invitation;
  const [made] = await db
    .insert(invitations)
    .values({ ...rest, expiresAt: msFromNow(holdsForMs) })
    .returning({ expiresAt: invitations.expiresAt });
  if (!made) throw new Error('no invitation was made');
  return made;
}

/** The valid links into an account, oldest first. */
export function listInvitationRows(db: Db, params: { accountId: string }) {
  return db
    .select({
      invitationId: invitations.id,
      ...pick(invitations, 'role', 'note', 'expiresAt', 'createdAt'),
    })
    .from(invitations)
    .where(and(eq(invitations.accountId, params.accountId), holds))
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
}

export type InvitationRow = Awaited<ReturnType<typeof listInvitationRows>>[number];

/** Withdraws a link; false if the account has none with this id. */
export async function deleteInvitation(
  db: Db,
  params: { accountId: string; invitationId: string },
): Promise<boolean> {
  const { rowCount } = await db
    .delete(invitations)
    .where(and(eq(invitations.accountId, params.accountId), eq(invitations.id, params.invitationId)));
  return rowCount === 1;
}

/** Withdraws the links that one user made, in one account or in all, and returns how many there were. */
export async function deleteInvitationsBy(
  db: Db,
  params: { userId: string; accountId: string | null },
): Promise<number> {
  const { userId, accountId } = params;
  const { rowCount } = await db
    .delete(invitations)
    .where(
      and(
        eq(invitations.invitedBy, userId),
        accountId === null ? undefined : eq(invitations.accountId, accountId),
      ),
    );
  return rowCount ?? 0;
}

export async function deleteInvitationsTo(db: Db, params: { accountId: string }): Promise<void> {
  await db.delete(invitations).where(eq(invitations.accountId, params.accountId));
}

/** The invitation of a token; null if it is unknown, used, withdrawn or expired. */
export async function findInvitation(db: Db, params: { tokenHash: string }) {
  const [found] = await db
    .select({
      invitationId: invitations.id,
      accountId: accounts.id,
      accountName: accounts.name,
      role: invitations.role,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(and(eq(invitations.tokenHash, params.tokenHash), holds));
  return found ?? null;
}

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Uses a link; of several concurrent callers, one gets it. */
export async function takeInvitation(
  db: Db,
  params: { tokenHash: string },
): Promise<{ accountId: string; role: Role; invitationId: string } | null> {
  const [taken] = await db
    .delete(invitations)
    .where(and(eq(invitations.tokenHash, params.tokenHash), holds))
    .returning({
      accountId: invitations.accountId,
      role: invitations.role,
      invitationId: invitations.id,
    });
  return taken ?? null;
}
