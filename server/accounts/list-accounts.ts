import { type PlanState, planWorks } from '#server/core/access.ts';
import { stateOf } from '#server/plans/plan-of.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import {
  type AccountShow,
  countAccounts as count,
  countMonthOf,
  type ListedAccountRow,
  listAccountRows,
} from './queries/account-list.ts';

export { ACCOUNT_SHOWS, type AccountShow } from './queries/account-list.ts';

export interface ListedAccount extends Omit<ListedAccountRow, 'endedAt' | 'now' | 'numbersIncluded'> {
  /** Accepted in the last 30 days, without those that still wait. */
  messages30Days: number;
  plan: PlanState;
  numbersIncluded: number;
  /** Connected numbers that send nothing, because the plan has ended or the account is suspended. */
  stopped: number;
}

/** So many at a time do not take long enough to be cancelled. */
const BATCH = 1000;
const PAGE = 100;

interface Look {
  search?: string | undefined;
  show?: AccountShow | undefined;
}

/** For the administrator: a page of the accounts that {@link listAccounts} finds. */
export async function pageOfAccounts(
  scope: InstallationScope,
  params: Look & { before: string | null },
): Promise<{ rows: ListedAccount[]; next: string | null }> {
  const rows = await accountsBefore(scope, { ...params, limit: PAGE + 1 });
  const page = rows.slice(0, PAGE);
  return { rows: page, next: rows.length > PAGE ? (page.at(-1)?.accountId ?? null) : null };
}

/** For the administrator: all accounts by part of their name or of a member's email address, newest first. */
export async function listAccounts(scope: InstallationScope, params: Look = {}): Promise<ListedAccount[]> {
  const all: ListedAccount[] = [];
  let rows: ListedAccount[];
  do {
    rows = await accountsBefore(scope, { ...params, before: all.at(-1)?.accountId ?? null, limit: BATCH });
    all.push(...rows);
  } while (rows.length === BATCH);
  return all;
}

async function accountsBefore(
  { database: { db } }: InstallationScope,
  params: Look & { before: string | null; limit: number },
): Promise<ListedAccount[]> {
  const { search = '', show = 'all', before, limit } = params;
  const rows = await listAccountRows(db, { search: search.trim(), show, before, limit });
  const messages = await countMonthOf(db, { accountIds: rows.map(({ accountId }) => accountId) });
  return rows.map(({ endedAt, connected, now, ...row }) => {
    const plan = stateOf({ ...row, endedAt }, now);
    // Without any plan, only a number on trial can be connected, and it sends.
    const sends = !row.suspended && (planWorks(plan) || plan === 'none');
    return {
      ...row,
      messages30Days: messages.get(row.accountId) ?? 0,
      plan,
      numbersIncluded: row.numbersIncluded ?? 0,
      connected: sends ? connected : 0,
      stopped: sends ? 0 : connected,
    };
  });
}

/** How many accounts of a search each filter shows. */
export function countAccounts(
  { database: { db } }: InstallationScope,
  params: Pick<Look, 'search'> = {},
): Promise<Record<AccountShow, number>> {
  const { search = '' } = params;
  return count(db, { search: search.trim() });
}
