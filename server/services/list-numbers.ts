import type { Db } from '#server/db/client.ts';
import { listNumberRows } from '#server/store/numbers.ts';
import { type NumberView, toNumberView } from './number-view.ts';

/** An account's numbers, oldest first. */
export async function listNumbers(db: Db, params: { accountId: string }): Promise<NumberView[]> {
  return (await listNumberRows(db, params)).map(toNumberView);
}
