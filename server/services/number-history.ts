import type { Db } from '#server/db/client.ts';
import {
  findNumberRow,
  listNumberEvents,
  type NumberEventRow,
  type NumberRef,
} from '#server/store/numbers.ts';
import { notFound } from './not-found.ts';

/** The states that a number went through, newest first. Throws `not_found`. */
export async function numberHistory(
  db: Db,
  params: NumberRef & { limit?: number },
): Promise<NumberEventRow[]> {
  if (!(await findNumberRow(db, params))) throw notFound('number');
  return listNumberEvents(db, { ...params, limit: params.limit ?? 100 });
}
