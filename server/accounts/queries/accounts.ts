import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { accounts, memberships, users } from '#server/schema/index.ts';

export async function insertAccount(
  db: Db,
  params: { id: string; name: string; ownerId: string },
): Promise<void> {
  await db.insert(accounts).values({ id: params.id, name: params.name });
  await db.insert(memberships).values({ accountId: params.id, userId: params.ownerId, role: 'owner' });
}

/** The accounts that a user belongs to, oldest first. */
export function accountsOf(db: Db, params: { userId: string }) {
  return db
    .select({
      accountId: accounts.id,
      name: accounts.name,
      role: memberships.role,
      suspended: sql<boolean>`${accounts.suspendedAt} is not null`,
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.userId, params.userId), isNull(accounts.deletedAt)))
    .orderBy(asc(accounts.createdAt), asc(accounts.id));
}

export type AccountOfUser = Awaited<ReturnType<typeof accountsOf>>[number];

// Drizzle omits the table's name in a select from one table, so a subquery has to spell it out.
const ownerEmail = sql<string | null>`(
  select u.email from memberships m join users u on u.id = m.user_id
  where m.account_id = accounts.id and m.role = 'owner' order by m.created_at, u.id limit 1)`;

export const accountRow = {
  accountId: accounts.id,
  name: accounts.name,
  /** The oldest owner's address. */
  email: ownerEmail,
  suspended: sql<boolean>`${accounts.suspendedAt} is not null`,
};

export type AccountRow = SelectResultFields<typeof accountRow>;

export async function findAccountById(db: Db, params: { accountId: string }): Promise<AccountRow | null> {
  const [found] = await db
    .select(accountRow)
    .from(accounts)
    .where(and(eq(accounts.id, params.accountId), isNull(accounts.deletedAt)));
  return found ?? null;
}

/** Records that a member confirmed the risks of a real number; false when that was recorded before. */
export async function acceptRisk(tx: Tx, params: { accountId: string }): Promise<boolean> {
  const { rowCount } = await tx
    .update(accounts)
    .set({ riskAcceptedAt: now })
    .where(and(eq(accounts.id, params.accountId), isNull(accounts.riskAcceptedAt)));
  return rowCount === 1;
}

/** Whether a member confirmed the risks of a real number. */
export async function hasAcceptedRisk(db: Db, params: { accountId: string }): Promise<boolean> {
  const found = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, params.accountId), isNotNull(accounts.riskAcceptedAt)));
  return found.length > 0;
}

/** The accounts owned by the user with this email address. */
export function findAccountsOwnedBy(db: Db, params: { email: string }): Promise<AccountRow[]> {
  return db
    .select(accountRow)
    .from(accounts)
    .innerJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.role, 'owner')))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(sql`lower(${users.email}) = lower(${params.email})`)
    .orderBy(asc(accounts.createdAt), asc(accounts.id));
}

/**
 * Locks an account's row until the transaction ends, so that changes under its plan are decided one at a time.
 * Messages are still admitted. Null when there is no such account, or it was deleted.
 */
export async function lockAccount(
  tx: Tx,
  params: { accountId: string },
): Promise<{ suspended: boolean } | null> {
  const [found] = await tx
    .select({ suspended: sql<boolean>`${accounts.suspendedAt} is not null` })
    .from(accounts)
    .where(and(eq(accounts.id, params.accountId), isNull(accounts.deletedAt)))
    .for('no key update');
  return found ?? null;
}

/** How long an account keeps its messages. */
export interface Retention {
  textRetentionDays: number;
  metadataRetentionDays: number;
}

export async function findRetention(db: Db, params: { accountId: string }): Promise<Retention | null> {
  const [found] = await db
    .select({
      textRetentionDays: accounts.textRetentionDays,
      metadataRetentionDays: accounts.metadataRetentionDays,
    })
    .from(accounts)
    .where(eq(accounts.id, params.accountId));
  return found ?? null;
}

/** False when there is no such account. */
export async function updateRetention(db: Db, params: Retention & { accountId: string }): Promise<boolean> {
  const { accountId, ...set } = params;
  const { rowCount } = await db
    .update(accounts)
    .set({
      ...set,
      // What was older than the earlier setting may be gone already, whatever the new one says.
      messagesHeldFrom: sql`greatest(${accounts.messagesHeldFrom}, now() - ${accounts.metadataRetentionDays} * interval '1 day')`,
    })
    .where(eq(accounts.id, accountId));
  return rowCount === 1;
}

export async function setSuspended(db: Db, params: { accountId: string; suspended: boolean }): Promise<void> {
  await db
    .update(accounts)
    .set({ suspendedAt: params.suspended ? now : null })
    .where(eq(accounts.id, params.accountId));
}
