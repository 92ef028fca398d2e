import { notFound } from '#server/core/not-found.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { causeText } from './cause-text.ts';
import { type NumberView, toNumberView } from './number-view.ts';
import { listNumberEvents } from './queries/number-events.ts';
import { findNumberRow, listNumberRows, type NumberRow } from './queries/numbers.ts';

/** One of the context's numbers. */
export interface OfNumber {
  numberId: string;
}

/** An account's numbers, oldest first. */
export async function listNumbers({ database, accountId }: AccountScope): Promise<NumberView[]> {
  return (await listNumberRows(database.db, { accountId })).map(toNumberView);
}

/** One number as its account sees it. Throws `not_found`. */
export async function getNumber(scope: AccountScope, ofNumber: OfNumber): Promise<NumberView> {
  return toNumberView(await requireNumberRow(scope, ofNumber));
}

/** The states that a number went through, newest first. Throws `not_found`. */
export async function numberHistory(
  scope: AccountScope,
  { numberId, limit = 100 }: OfNumber & { limit?: number },
): Promise<{ status: NumberStatus; reason: string | null; at: Date }[]> {
  const { database, accountId } = scope;
  await requireNumberRow(scope, { numberId });
  const events = await listNumberEvents(database.db, { accountId, numberId, limit });
  return events.map(({ cause, ...event }) => ({ ...event, reason: causeText(cause) }));
}

/** The row of a number of an account. Throws `not_found`. */
export async function requireNumberRow(
  { database, accountId }: AccountScope,
  { numberId }: OfNumber,
): Promise<NumberRow> {
  const row = await findNumberRow(database.db, { accountId, numberId });
  if (!row) throw notFound('number');
  return row;
}
