import type { PlanState } from '#server/core/access.ts';
import type { Db } from '#server/db/client.ts';
import { type AccountRow, listAccountRows } from '#server/store/accounts.ts';
import { stateOf } from './plan-of.ts';

export interface ListedAccount extends AccountRow {
  plan: PlanState;
  numbersIncluded: number;
  /** Numbers that the plan counts. */
  numbersUsed: number;
  /** All numbers, linked or not. */
  numbers: number;
  paidUntil: string | null;
  note: string | null;
  createdAt: Date;
}

const MOST = 1000;

/** For the administrator: accounts by part of their name or of a member's e-mail address, newest first. */
export async function listAccounts(
  db: Db,
  params: { search?: string; now?: Date } = {},
): Promise<ListedAccount[]> {
  const { search = '', now = new Date() } = params;
  const rows = await listAccountRows(db, { search: search.trim(), limit: MOST });
  return rows.map(({ endedAt, ...row }) => ({
    ...row,
    plan: stateOf({ ...row, endedAt }, now),
    numbersIncluded: row.numbersIncluded ?? 0,
  }));
}
