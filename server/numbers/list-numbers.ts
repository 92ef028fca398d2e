import type { Db } from '#server/platform/db/client.ts';
import { type NumberView, toNumberView } from './number-view.ts';
import { listNumberRows } from './queries/numbers.ts';

/** An account's numbers, oldest first. */
export async function listNumbers(db: Db, params: { accountId: string }): Promise<NumberView[]> {
  return (await listNumberRows(db, params)).map(toNumberView);
}
