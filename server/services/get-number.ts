import type { Db } from '#server/db/client.ts';
import { findNumberRow, type NumberRef } from '#server/store/numbers.ts';
import { notFound } from './not-found.ts';
import { type NumberView, toNumberView } from './number-view.ts';

/** One number of an account. Throws `not_found`. */
export async function getNumber(db: Db, params: NumberRef): Promise<NumberView> {
  const row = await findNumberRow(db, params);
  if (!row) throw notFound('number');
  return toNumberView(row);
}
