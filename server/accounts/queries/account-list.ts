import { and, between, desc, eq, ilike, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import { oldestWorkingPlan, today } from '#server/plans/queries/today.ts';
import type { Db } from '#server/platform/db/client.ts';
import { anyOf, countIf, now } from '#server/platform/db/expressions.ts';
import { accounts, messageCountDeltas, messageCounts, subscriptions } from '#server/schema/index.ts';
import { accountRow } from './accounts.ts';

/**
 * Which accounts: all, those whose plan ends soon, has ended or was never enabled, suspended ones, and those with
 * a member whose email address is not confirmed.
 */
export const ACCOUNT_SHOWS = ['all', 'ending', 'ended', 'none', 'suspended', 'unconfirmed'] as const;
export type AccountShow = (typeof ACCOUNT_SHOWS)[number];

/** A plan ends soon if it ends within this many days or is in its days of grace. */
const ENDING_DAYS = 14;

/** A worker confirms a number's state every few seconds. */
const VOUCHED_SECONDS = 12;

/** Found once for all accounts: a look at the members of each account takes ten times as long. */
const HAS_UNCONFIRMED = sql`accounts.id in (
  select p.account_id from memberships p join users c on c.id = p.user_id
  where c.email_confirmed_at is null and c.disabled_at is null)`;

/**
 * Accounts older than `before`, newest first, whose name or a member's email address contains `search`, or whose id it is.
 */
export function listAccountRows(
  db: Db,
  params: { search: string; show: AccountShow; before: string | null; limit: number },
) {
  return db
    .select({
      ...accountRow,
      createdAt: accounts.createdAt,
      /** It has a member who may sign in and whose email address is not confirmed. */
      unconfirmed: sql<boolean>`${HAS_UNCONFIRMED}`,
      /** Numbers that are not removed, linked or not. */
      numbers: sql<number>`(
        select count(*)::int from numbers n where n.account_id = accounts.id and n.removed_at is null)`,
      /** Numbers that the plan counts. */
      numbersUsed: sql<number>`(
        select count(*)::int from numbers n
        where n.account_id = accounts.id and n.removed_at is null and n.first_linked_at is not null)`,
      /** Numbers whose workers recently confirmed that they are connected, whether or not they may send. */
      connected: sql<number>`(
        select count(*)::int from numbers n join leases l on l.number_id = n.id
        where n.account_id = accounts.id and n.removed_at is null and n.suspended_at is null and n.status = 'CONNECTED'
          and l.renewed_at > clock_timestamp() - ${VOUCHED_SECONDS}::int * interval '1 second')`,
      ...pick(subscriptions, 'numbersIncluded', 'paidUntil', 'endedAt', 'note'),
      /** By the database's clock. */
      now,
    })
    .from(accounts)
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(
      and(
        matches(params.search),
        shownBy(params.show),
        params.before === null ? undefined : lt(accounts.id, params.before),
      ),
    )
    .orderBy(desc(accounts.id))
    .limit(params.limit);
}

export type ListedAccountRow = Awaited<ReturnType<typeof listAccountRows>>[number];

/**
 * Messages of each of these accounts that were accepted in the last 30 days, without those that still wait. One statement
 * of its own: joined to the list, PostgreSQL would read all counts for each account if nearly all belong to one.
 */
export async function countMonthOf(
  db: Db,
  params: { accountIds: readonly string[] },
): Promise<Map<string, number>> {
  const counted = (table: typeof messageCounts | typeof messageCountDeltas, rest: SQL) =>
    sql`select account_id, ${rest} as n from ${table} where ${anyOf(table.accountId, params.accountIds)} and outcome <> 'delivered'`;
  // SQL: a sum over the union of two tables.
  const rows = await db.run<{ account_id: string; messages: number }>(sql`
    select account_id, sum(n)::int as messages from (
      ${counted(messageCounts, sql`count`)} and unit = 'day' and at > now() - interval '30 days'
      union all ${counted(messageCountDeltas, sql`amount`)} and created_at > now() - interval '30 days') m
    group by account_id`);
  return new Map(rows.map(({ account_id, messages }) => [account_id, messages]));
}

/** How many of the accounts that a search finds each filter shows. */
export async function countAccounts(
  db: Db,
  params: { search: string },
): Promise<Record<AccountShow, number>> {
  const count = (show: AccountShow) => countIf(shownBy(show));
  const [row] = await db
    .select({
      all: count('all'),
      ending: count('ending'),
      ended: count('ended'),
      none: count('none'),
      suspended: count('suspended'),
      unconfirmed: count('unconfirmed'),
    })
    .from(accounts)
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(matches(params.search));
  return row ?? { all: 0, ending: 0, ended: 0, none: 0, suspended: 0, unconfirmed: 0 };
}

function matches(search: string): SQL | undefined {
  return and(isNull(accounts.deletedAt), search === '' ? undefined : isFoundBy(search));
}

/** Whether a search finds an account: by a part of its name or of a member's email address, or by its id. */
export function isFoundBy(search: string): SQL | undefined {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const hasMember = sql`exists (select from memberships m join users u on u.id = m.user_id
    where m.account_id = accounts.id and u.email ilike ${pattern})`;
  return or(ilike(accounts.name, pattern), eq(accounts.id, search), hasMember);
}

function shownBy(show: AccountShow): SQL | undefined {
  const oldestWorking = oldestWorkingPlan();
  const { paidUntil, endedAt } = subscriptions;
  switch (show) {
    case 'all':
      return undefined;
    case 'ending':
      return and(isNull(endedAt), between(paidUntil, oldestWorking, sql`${today()} + ${ENDING_DAYS}::int`));
    case 'ended':
      return or(isNotNull(endedAt), lt(paidUntil, oldestWorking));
    case 'none':
      return isNull(subscriptions.accountId);
    case 'suspended':
      return isNotNull(accounts.suspendedAt);
    case 'unconfirmed':
      return HAS_UNCONFIRMED;
    default:
      return show satisfies never;
  }
}
