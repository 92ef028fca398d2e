import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { SIGN_IN_DAYS } from '#server/core/sign-in-fields.ts';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { accounts, memberships, signIns, users } from '#server/schema/index.ts';

/** And after this without a sign of life. */
const IDLE_DAYS = 3;
/** How exactly a sign-in knows when it was last used. */
const SEEN_EVERY_SECONDS = 60;

export async function insertSignIn(
  db: Db,
  signIn: { id: string; userId: string; version: number; address: string | null; userAgent: string | null },
): Promise<void> {
  const now = sql`clock_timestamp()`;
  await db.insert(signIns).values({ ...signIn, confirmedAt: now, seenAt: now });
}

export interface SignInRow {
  id: string;
  userId: string;
  email: string;
  admin: boolean;
  /** A code of the authenticator app is asked as well. */
  secondFactor: boolean;
  /** How long ago the password was typed in this browser. */
  confirmedSecondsAgo: number;
  /** How often its cookie was renewed. */
  renewals: number;
  /** Its last sign of life is to be written again. */
  stale: boolean;
  /** The account that an administrator looks at in this browser, as its people see it. */
  viewedAccountId: string | null;
}

// A version that was raised since, a user who was disabled, and age end a sign-in alike.
const alive = and(
  eq(signIns.version, users.sessionVersion),
  isNull(users.disabledAt),
  sql`${signIns.createdAt} > clock_timestamp() - ${SIGN_IN_DAYS}::int * interval '1 day'`,
  sql`${signIns.seenAt} > clock_timestamp() - ${IDLE_DAYS}::int * interval '1 day'`,
);

/** Who is behind a sign-in; null when it has ended, for whatever reason. */
export async function findSignIn(db: Db, params: { signInId: string }): Promise<SignInRow | null> {
  const [found] = await db
    .select({
      id: signIns.id,
      userId: users.id,
      email: users.email,
      admin: users.admin,
      secondFactor: sql<boolean>`${users.totpSince} is not null`,
      confirmedSecondsAgo: sql<number>`extract(epoch from clock_timestamp() - ${signIns.confirmedAt})::float8`,
      renewals: signIns.renewals,
      stale: sql<boolean>`${signIns.seenAt} < clock_timestamp() - ${SEEN_EVERY_SECONDS}::int * interval '1 second'`,
      viewedAccountId: signIns.viewsAccountId,
    })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(and(eq(signIns.id, params.signInId), alive));
  return found ?? null;
}

/** Notes which account is looked at in a browser, or that none is any more; false when one is already. */
export async function setViewedAccount(
  tx: Tx,
  params: { signInId: string; viewed: string | null },
): Promise<boolean> {
  const { signInId, viewed } = params;
  const changed = await tx
    .update(signIns)
    .set({ viewsAccountId: viewed })
    .where(and(eq(signIns.id, signInId), viewed === null ? undefined : isNull(signIns.viewsAccountId)))
    .returning({ id: signIns.id });
  return changed.length === 1;
}

/** The account that is looked at in a browser, with the sign-in's row locked; null when none is. */
export async function findViewedAccount(tx: Tx, params: { signInId: string }): Promise<string | null> {
  const [found] = await tx
    .select({ viewed: signIns.viewsAccountId })
    .from(signIns)
    .where(eq(signIns.id, params.signInId))
    .for('update');
  return found?.viewed ?? null;
}

/** A sign-in, as a member of an account. */
export interface MemberSignIn {
  signInId: string;
  accountId: string;
}

// Who looks at an account as its people see it sees nothing else meanwhile.
const viewed = sql`(
  select v.id from accounts v where v.id = ${signIns.viewsAccountId} and v.deleted_at is null and ${users.admin})`;
const sees = sql`(${accounts.id} = ${viewed} or (${viewed} is null and exists (
  select from ${memberships} where ${memberships.userId} = ${users.id} and ${memberships.accountId} = ${accounts.id})))`;

/** Those among several sign-ins that hold, and whose users see the accounts named with them. */
export async function signInsThatHold(db: Db, params: readonly MemberSignIn[]): Promise<MemberSignIn[]> {
  return db
    .select({ signInId: signIns.id, accountId: accounts.id })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .innerJoin(accounts, sees)
    .where(
      and(
        inArray(
          signIns.id,
          params.map(({ signInId }) => signInId),
        ),
        inArray(
          accounts.id,
          params.map(({ accountId }) => accountId),
        ),
        alive,
      ),
    );
}

export async function touchSignIn(db: Db, params: { signInId: string }): Promise<void> {
  await db.update(signIns).set({ seenAt: sql`clock_timestamp()` }).where(eq(signIns.id, params.signInId));
}

/**
 * The password was typed again in this browser, whose cookie is void from now on. Resolves to the renewals that
 * the next one is to name; null when the sign-in is gone.
 */
export async function confirmSignIn(
  db: Db,
  params: { userId: string; signInId: string },
): Promise<number | null> {
  const [renewed] = await db
    .update(signIns)
    .set({ confirmedAt: sql`clock_timestamp()`, renewals: sql`${signIns.renewals} + 1` })
    .where(and(eq(signIns.id, params.signInId), eq(signIns.userId, params.userId)))
    .returning({ renewals: signIns.renewals });
  return renewed?.renewals ?? null;
}

export interface ListedSignIn {
  id: string;
  address: string | null;
  userAgent: string | null;
  seenAt: Date;
  createdAt: Date;
}

/** A user's sign-ins that hold, the latest used first. */
export function listSignInRows(db: Db, params: { userId: string }): Promise<ListedSignIn[]> {
  return db
    .select({
      id: signIns.id,
      address: signIns.address,
      userAgent: signIns.userAgent,
      seenAt: signIns.seenAt,
      createdAt: signIns.createdAt,
    })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(and(eq(signIns.userId, params.userId), alive))
    .orderBy(desc(signIns.seenAt), desc(signIns.id));
}

/** Ends one sign-in of a user, and tells which account was looked at in it; null when it was none. */
export async function deleteSignIn(
  db: Db,
  params: { userId: string; signInId: string },
): Promise<{ viewedAccountId: string | null } | null> {
  const gone = await db
    .delete(signIns)
    .where(and(eq(signIns.id, params.signInId), eq(signIns.userId, params.userId)))
    .returning({ viewedAccountId: signIns.viewsAccountId });
  return gone[0] ?? null;
}

/**
 * Ends all sign-ins of a user, `exceptId` aside: their version is raised, so that even one whose row is being
 * written at this moment is void.
 */
export async function endSignIns(db: Db, params: { userId: string; exceptId: string | null }): Promise<void> {
  const { userId, exceptId } = params;
  const [raised] = await db
    .update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, params.userId))
    .returning({ version: users.sessionVersion });
  if (!raised) return;
  await db
    .delete(signIns)
    .where(and(eq(signIns.userId, params.userId), exceptId === null ? undefined : ne(signIns.id, exceptId)));
  if (exceptId === null) return;
  await db
    .update(signIns)
    .set({ version: raised.version })
    .where(and(eq(signIns.id, exceptId), eq(signIns.userId, userId)));
}

/** Forgets sign-ins that are too old to hold. */
export async function deleteOldSignIns(db: Db): Promise<number> {
  const gone = await db
    .delete(signIns)
    .where(
      sql`${signIns.createdAt} < clock_timestamp() - ${SIGN_IN_DAYS}::int * interval '1 day'
        or ${signIns.seenAt} < clock_timestamp() - ${IDLE_DAYS}::int * interval '1 day'`,
    )
    .returning({ id: signIns.id });
  return gone.length;
}
