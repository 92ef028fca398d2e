import { and, eq, isNull, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { pick } from '#server/core/pick.ts';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { users } from '#server/schema/index.ts';

const row = pick(users, 'id', 'email', 'passwordHash', 'admin', 'sessionVersion');

export type UserRow = SelectResultFields<typeof row>;

/** Makes a user; false when the email address, in any letter case, already belongs to one. */
export async function insertUser(
  db: Db,
  params: { id: string; email: string; passwordHash: string; admin: boolean; emailConfirmed: boolean },
): Promise<boolean> {
  const { emailConfirmed, ...user } = params;
  const emailConfirmedAt = emailConfirmed ? now : null;
  const { rowCount } = await db
    .insert(users)
    .values({ ...user, emailConfirmedAt })
    .onConflictDoNothing();
  return rowCount === 1;
}

/** The user who signs in with this email address; null when there is none, or they are disabled. */
export async function findUserByEmail(db: Db, params: { email: string }): Promise<UserRow | null> {
  const [found] = await db
    .select(row)
    .from(users)
    .where(and(sql`lower(${users.email}) = lower(${params.email})`, isNull(users.disabledAt)));
  return found ?? null;
}

/** The same, disabled or not: for the operator. */
export async function findAnyUserByEmail(db: Db, params: { email: string }): Promise<UserRow | null> {
  const [found] = await db.select(row).from(users).where(sql`lower(${users.email}) = lower(${params.email})`);
  return found ?? null;
}

const usable = (db: Db, { userId }: { userId: string }) =>
  db
    .select(row)
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.disabledAt)));

/** A user who may use the product. */
export async function findUser(db: Db, params: { userId: string }): Promise<UserRow | null> {
  return (await usable(db, params))[0] ?? null;
}

/**
 * {@link findUser}, with the user's row locked: changes of passwords, links and codes are decided one at a time. Lock
 * it before other rows of the user.
 */
export async function lockUser(tx: Tx, params: { userId: string }): Promise<UserRow | null> {
  return (await usable(tx, params).for('no key update'))[0] ?? null;
}

/** Whether anybody has signed up. */
export async function hasUsers(db: Db): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).limit(1);
  return found.length > 0;
}

/** Records that a user confirmed their address; false when it was confirmed before. */
export async function markEmailConfirmed(db: Db, params: { userId: string }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ emailConfirmedAt: now })
    .where(and(eq(users.id, params.userId), isNull(users.emailConfirmedAt)));
  return rowCount === 1;
}

export async function setEmail(db: Db, params: { userId: string; email: string }): Promise<void> {
  await db.update(users).set({ email: params.email }).where(eq(users.id, params.userId));
}

/** Whether the installation has an administrator. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.admin, true), isNull(users.disabledAt)))
    .limit(1);
  return found.length > 0;
}

export async function makeAdmin(db: Db, params: { userId: string }): Promise<void> {
  await db
    .update(users)
    .set({ admin: true, emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, clock_timestamp())` })
    .where(and(eq(users.id, params.userId), isNull(users.disabledAt)));
}
