import { notFound } from '#server/core/not-found.ts';
import type { Db } from '#server/platform/db/client.ts';
import { findNumberRow, listNumberEvents, type NumberEventRow, type NumberRef } from './queries/numbers.ts';

/** The states that a number went through, newest first. Throws `not_found`. */
export async function numberHistory(
  db: Db,
  params: NumberRef & { limit?: number },
): Promise<NumberEventRow[]> {
  if (!(await findNumberRow(db, params))) throw notFound('number');
  return listNumberEvents(db, { ...params, limit: params.limit ?? 100 });
}
