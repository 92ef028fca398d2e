import { countsTimeZone } from '#server/accounts/account-settings.ts';
import { notFound } from '#server/core/not-found.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import {
  countRefusedToday,
  findRequest,
  listRequestRows,
  type RequestDetailRow,
  type RequestFilter,
  type RequestRow,
} from './queries/request-list.ts';

const PAGE = 100;

/** A page of an account's requests, newest first. `next` is `before` of the next page, null on the last one. */
export async function listRequests(
  { database, accountId }: AccountScope,
  filter: RequestFilter & { before?: number | undefined },
): Promise<{ rows: RequestRow[]; next: number | null }> {
  const rows = await listRequestRows(database.db, { ...filter, accountId, limit: PAGE + 1 });
  const page = rows.slice(0, PAGE);
  return { rows: page, next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null };
}

/** One request in full. Throws `not_found`. */
export async function getRequest(
  { database, accountId }: AccountScope,
  { requestId }: { requestId: string },
): Promise<RequestDetailRow> {
  const row = await findRequest(database.db, { accountId, requestId });
  if (!row) throw notFound('request');
  return row;
}

/** How many of an account's requests were refused today in its time zone, for each number that had any. */
export async function refusedToday(
  scope: AccountScope,
): Promise<{ numberId: string | null; count: number }[]> {
  const { accountId, database } = scope;
  return countRefusedToday(database.db, { accountId, timeZone: await countsTimeZone(scope) });
}
