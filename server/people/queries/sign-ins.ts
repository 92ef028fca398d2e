import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import { SIGN_IN_DAYS } from '#server/core/sign-in-fields.ts';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { accounts, memberships, signIns, users } from '#server/schema/index.ts';

/** A sign-in also ends after this many days without use. */
const IDLE_DAYS = 3;
/** How accurate the time of the last use is. */
const SEEN_EVERY_SECONDS = 60;

export async function insertSignIn(
  db: Db,
  signIn: { id: string; userId: string; version: number; address: string | null; userAgent: string | null },
): Promise<void> {
  await db.insert(signIns).values({ ...signIn, confirmedAt: now, seenAt: now });
}

// A sign-in ends by a higher session version, a disabled user, or its age.
const alive = and(
  eq(signIns.version, users.sessionVersion),
  isNull(users.disabledAt),
  sql`${signIns.createdAt} > clock_timestamp() - ${SIGN_IN_DAYS}::int * interval '1 day'`,
  sql`${signIns.seenAt} > clock_timestamp() - ${IDLE_DAYS}::int * interval '1 day'`,
);

/** Whose sign-in it is; null when it has ended for any reason. */
export async function findSignIn(db: Db, params: { signInId: string }) {
  const [found] = await db
    .select({
      id: signIns.id,
      userId: users.id,
      email: users.email,
      admin: users.admin,
      /** A code of the authenticator app is required as well. */
      secondFactor: sql<boolean>`${users.totpSince} is not null`,
      /** Since the password was last entered in this browser. */
      confirmedSecondsAgo: sql<number>`extract(epoch from clock_timestamp() - ${signIns.confirmedAt})::float8`,
      renewals: signIns.renewals,
      /** The time of its last use must be updated. */
      stale: sql<boolean>`${signIns.seenAt} < clock_timestamp() - ${SEEN_EVERY_SECONDS}::int * interval '1 second'`,
      viewedAccountId: signIns.viewsAccountId,
    })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(and(eq(signIns.id, params.signInId), alive));
  return found ?? null;
}

export type SignInRow = NonNullable<Awaited<ReturnType<typeof findSignIn>>>;

/** Sets the account that is viewed in a browser, or none; false when one is viewed already. */
export async function setViewedAccount(
  tx: Tx,
  params: { signInId: string; viewed: string | null },
): Promise<boolean> {
  const { signInId, viewed } = params;
  const { rowCount } = await tx
    .update(signIns)
    .set({ viewsAccountId: viewed })
    .where(and(eq(signIns.id, signInId), viewed === null ? undefined : isNull(signIns.viewsAccountId)));
  return rowCount === 1;
}

/** The account that is viewed in a browser, with the sign-in's row locked; null when there is none. */
export async function findViewedAccount(tx: Tx, params: { signInId: string }): Promise<string | null> {
  const [found] = await tx
    .select({ viewed: signIns.viewsAccountId })
    .from(signIns)
    .where(eq(signIns.id, params.signInId))
    .for('update');
  return found?.viewed ?? null;
}

export interface MemberSignIn {
  signInId: string;
  /** Null for what only the administrator sees. */
  accountId: string | null;
  /** Of what only the owners of the account get. */
  ownersOnly?: boolean;
}

// A sign-in that views an account as its members see it has access to no other account.
const viewed = sql`(
  select v.id from accounts v where v.id = ${signIns.viewsAccountId} and v.deleted_at is null and ${users.admin})`;
const sees = sql`(${accounts.id} = ${viewed} or (${viewed} is null and exists (
  select from ${memberships} where ${memberships.userId} = ${users.id} and ${memberships.accountId} = ${accounts.id})))`;

const owns = sql<boolean>`exists (
  select from ${memberships} where ${memberships.userId} = ${users.id} and ${memberships.accountId} = ${accounts.id}
    and ${memberships.role} = 'owner')`;

/**
 * Which of these sign-ins are valid and see what is named with them: an account, and whether as its owner, or the
 * administrator's pages.
 */
export async function signInsThatHold(
  db: Db,
  params: readonly MemberSignIn[],
): Promise<(Omit<MemberSignIn, 'ownersOnly'> & { owner: boolean })[]> {
  const accountIds = params.flatMap(({ accountId }) => accountId ?? []);
  const ofAccounts = await db
    .select({ signInId: signIns.id, accountId: accounts.id, owner: owns })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .innerJoin(accounts, sees)
    .where(
      and(
        inArray(
          signIns.id,
          params.map(({ signInId }) => signInId),
        ),
        inArray(accounts.id, accountIds),
        alive,
      ),
    );
  const asAdministrator = params.flatMap(({ signInId, accountId }) => (accountId === null ? [signInId] : []));
  if (asAdministrator.length === 0) return ofAccounts;
  const ofAdministrators = await db
    .select({ signInId: signIns.id, accountId: sql<null>`null`, owner: sql<boolean>`false` })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(
      and(inArray(signIns.id, asAdministrator), eq(users.admin, true), isNull(signIns.viewsAccountId), alive),
    );
  return [...ofAccounts, ...ofAdministrators];
}

export async function touchSignIn(db: Db, params: { signInId: string }): Promise<void> {
  await db.update(signIns).set({ seenAt: now }).where(eq(signIns.id, params.signInId));
}

/**
 * Records that the password was entered again in this browser, which voids its cookie. Returns the number of
 * renewals for the next cookie; null if the sign-in has ended.
 */
export async function confirmSignIn(
  db: Db,
  params: { userId: string; signInId: string },
): Promise<number | null> {
  const [renewed] = await db
    .update(signIns)
    .set({ confirmedAt: now, renewals: sql`${signIns.renewals} + 1` })
    .where(and(eq(signIns.id, params.signInId), eq(signIns.userId, params.userId)))
    .returning({ renewals: signIns.renewals });
  return renewed?.renewals ?? null;
}

/** A user's valid sign-ins, the last used first. */
export function listSignInRows(db: Db, params: { userId: string }) {
  return db
    .select(pick(signIns, 'id', 'address', 'userAgent', 'seenAt', 'createdAt'))
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(and(eq(signIns.userId, params.userId), alive))
    .orderBy(desc(signIns.seenAt), desc(signIns.id));
}

export type ListedSignIn = Awaited<ReturnType<typeof listSignInRows>>[number];

/** Ends a user's sign-in and returns the account viewed in it; null when the user has no such sign-in. */
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
 * Ends all sign-ins of a user except `exceptId`. The version is incremented, so that a sign-in that is being made
 * now is invalid too.
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

/** Deletes sign-ins that ended by age. */
export async function deleteOldSignIns(db: Db): Promise<number> {
  const { rowCount } = await db.delete(signIns).where(
    sql`${signIns.createdAt} < clock_timestamp() - ${SIGN_IN_DAYS}::int * interval '1 day'
        or ${signIns.seenAt} < clock_timestamp() - ${IDLE_DAYS}::int * interval '1 day'`,
  );
  return rowCount ?? 0;
}
