import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { accounts, invitations } from '#server/db/schema/index.ts';
import type { Role } from './members.ts';

export interface InvitationRow {
  invitationId: string;
  role: Role;
  note: string;
  expiresAt: Date;
  createdAt: Date;
}

const holds = gt(invitations.expiresAt, sql`clock_timestamp()`);

export async function insertInvitation(
  db: Db,
  invitation: {
    id: string;
    tokenHash: string;
    accountId: string;
    role: Role;
    note: string;
    invitedBy: string | null;
    holdsForMs: number;
  },
): Promise<{ expiresAt: Date }> {
  const { holdsForMs, ...rest } = invitation;
  const [made] = await db
    .insert(invitations)
    .values({ ...rest, expiresAt: sql`clock_timestamp() + ${holdsForMs} * interval '1 millisecond'` })
    .returning({ expiresAt: invitations.expiresAt });
  if (!made) throw new Error('no invitation was made');
  return made;
}

/** The links of an account that still open it, oldest first. */
export function listInvitationRows(db: Db, params: { accountId: string }): Promise<InvitationRow[]> {
  return db
    .select({
      invitationId: invitations.id,
      role: invitations.role,
      note: invitations.note,
      expiresAt: invitations.expiresAt,
      createdAt: invitations.createdAt,
    })
    .from(invitations)
    .where(and(eq(invitations.accountId, params.accountId), holds))
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
}

/** Withdraws a link; false when there is none of this id in the account. */
export async function deleteInvitation(
  db: Db,
  params: { accountId: string; invitationId: string },
): Promise<boolean> {
  const gone = await db
    .delete(invitations)
    .where(and(eq(invitations.accountId, params.accountId), eq(invitations.id, params.invitationId)))
    .returning({ id: invitations.id });
  return gone.length === 1;
}

export interface OpenInvitation {
  invitationId: string;
  accountId: string;
  accountName: string;
  role: Role;
}

/** What a token opens; null when it was used or withdrawn, has run out, or never was. */
export async function findInvitation(db: Db, params: { tokenHash: string }): Promise<OpenInvitation | null> {
  const [found] = await db
    .select({
      invitationId: invitations.id,
      accountId: accounts.id,
      accountName: accounts.name,
      role: invitations.role,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(and(eq(invitations.tokenHash, params.tokenHash), holds, sql`${accounts.deletedAt} is null`));
  return found ?? null;
}

/** Uses a link up: of several at once, one gets it. */
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
