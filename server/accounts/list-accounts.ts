import { addDays, dateIn, oldestWorking, type PlanState, planWorks } from '#server/core/access.ts';
import { stateOf } from '#server/plans/plan-of.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import {
  type AccountDays,
  type AccountShow,
  countAccounts as count,
  countMonthOf,
  type ListedAccountRow,
  listAccountRows,
} from './queries/account-list.ts';

export { ACCOUNT_SHOWS, type AccountShow } from './queries/account-list.ts';

export interface ListedAccount extends Omit<ListedAccountRow, 'endedAt' | 'numbersIncluded'> {
  /** Accepted in the last 30 days, without those that still wait. */
  messages30Days: number;
  plan: PlanState;
  numbersIncluded: number;
  /** Connected numbers that send nothing, because the plan has ended or the account is suspended. */
  stopped: number;
}

const MOST = 1000;
const PAGE = 100;
/** A plan ends soon if it ends within this many days or is in its days of grace. */
const ENDING_DAYS = 14;

interface Look {
  search?: string | undefined;
  now?: Date;
}

/** For the administrator: a page of the accounts that {@link listAccounts} finds. */
export async function pageOfAccounts(
  scope: InstallationScope,
  params: Look & { show?: AccountShow | undefined; before: string | null },
): Promise<{ rows: ListedAccount[]; next: string | null }> {
  const rows = await listAccounts(scope, { ...params, limit: PAGE + 1 });
  const page = rows.slice(0, PAGE);
  return { rows: page, next: rows.length > PAGE ? (page.at(-1)?.accountId ?? null) : null };
}

/** For the administrator: accounts by part of their name or of a member's e-mail address, newest first. */
export async function listAccounts(
  { database: { db } }: InstallationScope,
  params: Look & { show?: AccountShow | undefined; before?: string | null; limit?: number } = {},
): Promise<ListedAccount[]> {
  const { search = '', show = 'all', before = null, limit = MOST, now = new Date() } = params;
  const rows = await listAccountRows(db, { search: search.trim(), show, before, limit, ...daysAt(now) });
  const messages = await countMonthOf(db, { accountIds: rows.map(({ accountId }) => accountId) });
  return rows.map(({ endedAt, connected, ...row }) => {
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
  params: Look = {},
): Promise<Record<AccountShow, number>> {
  const { search = '', now = new Date() } = params;
  return count(db, { search: search.trim(), ...daysAt(now) });
}

function daysAt(now: Date): AccountDays {
  const today = dateIn(settings.timeZone, now);
  return {
    oldestWorking: oldestWorking(today, settings.graceDays),
    endingUntil: addDays(today, ENDING_DAYS),
  };
}
